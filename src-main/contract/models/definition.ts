/** What the generic rooms need to know of an object type: its fields, key, indexes, and its own rules, all pure. */
import type { TObject } from 'typebox';
import type { JsonObject } from '../../kit/json.ts';

export const PREFIXES = [
  'bootenvs',
  'interfaces',
  'jobs',
  'leases',
  'machines',
  'params',
  'plugin_providers',
  'plugins',
  'preferences',
  'profiles',
  'reservations',
  'roles',
  'stages',
  'subnets',
  'tasks',
  'templates',
  'tenants',
  'users',
  'workflows',
] as const;
/** Name of an object type in paths, claims and content sections. */
export type Prefix = (typeof PREFIXES)[number];

/** What values of an index are ordered and compared by. */
export type Comparable = string | number | boolean;

export interface IndexDefinition {
  /** Published by `/indexes` (wire-format.md 3.10). */
  readonly Type: string;
  readonly Unique: boolean;
  readonly Unordered: boolean;
  /** `Re(...)` filters are allowed. */
  readonly Regex: boolean;
  /** As the object shows it; what `Index:value` keys name. */
  value(object: JsonObject): string | boolean;
  /** Same, in the form that orders as the index does. */
  comparable(object: JsonObject): Comparable;
  /** Reads a filter's argument. Throws FilterError with the message clients know. */
  parse(text: string): Comparable;
  /** Replaces equality where an index asks something else (a subnet contains an address). */
  matches?(object: JsonObject, wanted: Comparable): boolean;
}

/** A list parameter that cannot be read; the list query turns it into the answer. */
export class FilterError extends Error {}

/** Scope to the actions it has; see contract/claims. */
export type ScopeRegistry = ReadonlyMap<string, ReadonlySet<string>>;

export interface StructuralContext {
  /** Scopes and actions that claims of a role may name. */
  readonly scopes: ScopeRegistry;
}

/** A name of another object that should exist. */
export interface Reference {
  readonly kind: Prefix;
  readonly key: string;
  /** Sentence when it does not exist. */
  readonly message: string;
  /** True: the write is refused (422). False: the object is stored with the message in `Errors`, not Available. */
  readonly hard: boolean;
  /** JSON pointer of the field that names it. */
  readonly pointer: string;
}

export interface ModelDefinition {
  readonly prefix: Prefix;
  /** Type name in error texts. */
  readonly name: string;
  readonly schema: TObject;
  /** Field that identifies the object. */
  readonly key: string;
  /** Native key of an object; empty when it has none yet. */
  keyOf(value: JsonObject): string;
  /** Empty for types that publish no indexes. */
  readonly indexes: Readonly<Record<string, IndexDefinition>>;
  readonly hasParams: boolean;
  readonly hasMeta: boolean;
  /** Has `Validated`, `Available`, `Errors`. */
  readonly hasValidation: boolean;
  /** Has `ReadOnly`. */
  readonly hasAccess: boolean;
  /** `POST /<prefix>` exists. */
  readonly creatable: boolean;
  /** `PATCH` and `PUT` exist. */
  readonly writable: boolean;
  /** JSON pointers of values that no log may hold; the segment `*` stands for every member or element. */
  readonly secretFields: readonly string[];
  /** JSON pointers of addresses whose credentials no log may hold. */
  readonly secretAddresses: readonly string[];
  /** Name of the actions sub-resource; absent: the type has no actions. */
  readonly actions?: 'actions' | 'plugin_actions';
  /** Fields that follow from others. Called by `fill`; gives back what it got when nothing changes. */
  normalize?(value: JsonObject): JsonObject;
  /** Faults that refuse a write. The value is filled. */
  structural(value: JsonObject, context: StructuralContext): string[];
  /** Names of other objects in a filled value. */
  references(value: JsonObject): Reference[];
}
