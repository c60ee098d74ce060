/** Boot environments (wire-format.md 4.7): what a machine boots into. */
import Type from 'typebox';
import type { JsonObject } from '../../kit/json.ts';
import { objectOf, textOf } from '../../kit/json-read.ts';
import { documented, stored, templates } from './blocks.ts';
import { define } from './define.ts';
import { nameFaults, paramListFaults, templateFaults, templateReferences } from './faults.ts';
import { flag, mapOf, text, texts, v4 } from './fields.ts';
import { booleanIndex, nameIndex } from './indexes.ts';

const ArchInfo = Type.Object(
  {
    IsoFile: text(),
    Sha256: text(),
    IsoUrl: text(),
    Kernel: text(),
    Initrds: texts(),
    BootParams: text(),
    Loader: text(),
  },
  { title: 'ArchInfo' },
);

const OsInfo = Type.Object(
  {
    Name: text(),
    Family: text(),
    Codename: text(),
    Version: text(),
    IsoFile: text(),
    IsoSha256: text(),
    IsoUrl: text(),
    SupportedArchitectures: mapOf(ArchInfo, { ...v4 }),
  },
  { title: 'OsInfo' },
);

export const BootEnv = Type.Object(
  {
    ...stored,
    ...documented,
    Name: text(),
    OS: OsInfo,
    Kernel: text(),
    BootParams: text(),
    Templates: templates(),
    Initrds: texts(),
    RequiredParams: texts(),
    OptionalParams: texts(),
    OnlyUnknown: flag({ description: 'Only for machines the service does not know yet.' }),
    Loaders: mapOf(Type.String(), { ...v4 }),
  },
  { title: 'BootEnv' },
);
export type BootEnv = Type.Static<typeof BootEnv>;

const LOADERS = new Set(['386-pcbios', 'amd64-uefi', 'arm64-uefi']);

function loaderFaults(value: JsonObject): string[] {
  return Object.keys(objectOf(value, 'Loaders'))
    .filter((loader) => !LOADERS.has(loader))
    .map((loader) => `Invalid Loader \`${loader}\`: use ${[...LOADERS].join(', ')}`);
}

export const bootenvs = define({
  prefix: 'bootenvs',
  schema: BootEnv,
  indexes: {
    Name: nameIndex('Name'),
    OnlyUnknown: booleanIndex('OnlyUnknown'),
    OsName: {
      Type: 'string',
      Unique: false,
      Unordered: false,
      Regex: true,
      value: (object) => textOf(objectOf(object, 'OS'), 'Name'),
      comparable: (object) => textOf(objectOf(object, 'OS'), 'Name'),
      parse: (given) => given,
    },
  },
  actions: 'actions',
  structural: (value) => [
    ...nameFaults('Invalid Name', textOf(value, 'Name')),
    ...paramListFaults(value),
    ...templateFaults(value, true),
    ...loaderFaults(value),
  ],
  references: templateReferences,
});
