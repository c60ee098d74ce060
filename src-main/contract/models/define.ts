/** Makes a ModelDefinition from what is special about a type; the rest follows from its fields. */
import type { TObject } from 'typebox';
import { v4Hex } from '../../kit/ip-address.ts';
import type { JsonObject } from '../../kit/json.ts';
import { textOf } from '../../kit/json-read.ts';
import type { ModelDefinition, Prefix } from './definition.ts';
import { indexesOf } from './indexes.ts';
import { CALLBACK_ADDRESSES, CALLBACK_SECRETS } from './secrets.ts';

type Special = Partial<
  Pick<ModelDefinition, 'actions' | 'normalize' | 'structural' | 'references' | 'indexes' | 'creatable' | 'writable'>
> & {
  readonly prefix: Prefix;
  readonly schema: TObject;
  readonly key?: string;
  /** Those of Params come by themselves. */
  readonly secretFields?: readonly string[];
  /** False: the type publishes no indexes. */
  readonly indexed?: boolean;
};

/** Key by address: the eight hex digits; empty when the field holds no address. */
const byAddress = (value: JsonObject): string => v4Hex(textOf(value, 'Addr')) ?? '';

export function define(special: Special): ModelDefinition {
  const { schema, key = 'Name', indexes = {}, indexed = true, normalize, actions } = special;
  const has = (field: string): boolean => Object.hasOwn(schema.properties, field);
  const keyOf = key === 'Addr' ? byAddress : (value: JsonObject): string => textOf(value, key);
  const title = 'title' in schema ? schema.title : undefined;
  return {
    prefix: special.prefix,
    name: typeof title === 'string' ? title : special.prefix,
    schema,
    key,
    keyOf,
    indexes: indexed ? indexesOf(keyOf, indexes) : {},
    hasParams: has('Params'),
    hasMeta: has('Meta'),
    hasValidation: has('Validated'),
    hasAccess: has('ReadOnly'),
    creatable: special.creatable ?? true,
    writable: special.writable ?? true,
    secretFields: [...(special.secretFields ?? []), ...(has('Params') ? CALLBACK_SECRETS : [])],
    secretAddresses: has('Params') ? CALLBACK_ADDRESSES : [],
    structural: special.structural ?? (() => []),
    references: special.references ?? (() => []),
    ...(actions && { actions }),
    ...(normalize && { normalize }),
  };
}
