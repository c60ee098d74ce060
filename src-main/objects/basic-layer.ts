/** The objects that must be there whatever else is loaded (wire-format.md 10.1), and the two empty built-in layers. */
import type { Layer, Pack } from './layers.ts';

const BASIC: Pack = {
  meta: {
    Name: 'BasicStore',
    Source: '',
    Description: 'Default objects that must be present',
    Version: 'Unversioned',
    Documentation: '',
    Type: 'basic',
  },
  sections: {
    bootenvs: {
      ignore: {
        Name: 'ignore',
        Description: 'The boot environment unknown machines get: they boot from their own disk.',
        OnlyUnknown: true,
        Meta: { 'feature-flags': 'change-stage-v2' },
        OS: { Name: 'ignore' },
        Templates: [
          {
            Name: 'pxelinux',
            Path: 'pxelinux.cfg/default',
            Contents: 'DEFAULT local\nPROMPT 0\nTIMEOUT 10\nLABEL local\n  localboot 0\n',
          },
          {
            Name: 'ipxe',
            Path: 'default.ipxe',
            // biome-ignore lint/suspicious/noTemplateCurlyInString: iPXE fills it in
            Contents: '#!ipxe\nchain tftp://{{.ProvisionerAddress}}/${netX/ip}.ipxe || exit\n',
          },
        ],
      },
      local: {
        Name: 'local',
        Description: 'The boot environment of machines that boot from their own disk.',
        OnlyUnknown: false,
        Meta: { 'feature-flags': 'change-stage-v2' },
        OS: { Name: 'local' },
        Templates: [
          {
            Name: 'pxelinux',
            Path: 'pxelinux.cfg/{{.Machine.HexAddress}}',
            Contents: 'DEFAULT local\nPROMPT 0\nTIMEOUT 10\nLABEL local\n  localboot 0\n',
          },
          { Name: 'ipxe', Path: '{{.Machine.Address}}.ipxe', Contents: '#!ipxe\nexit\n' },
        ],
      },
    },
    stages: {
      none: {
        Name: 'none',
        Description: 'Noop / Nothing stage',
        BootEnv: '',
        Meta: { icon: 'circle thin', color: 'green' },
      },
      local: {
        Name: 'local',
        Description: 'Stage to boot into the local boot environment.',
        BootEnv: 'local',
        Meta: { icon: 'radio', color: 'green' },
      },
    },
    roles: {
      superuser: {
        Name: 'superuser',
        Description: 'May do everything',
        Claims: [{ scope: '*', action: '*', specific: '*' }],
      },
    },
  },
};

const empty = (name: string, type: 'local' | 'default', description: string, source: string): Layer => ({
  name,
  type,
  pack: {
    meta: { Name: name, Source: source, Description: description, Version: 'user', Documentation: '', Type: type },
    sections: {},
  },
});

/** The layers every stack has. */
export const BUILT_IN_LAYERS: readonly Layer[] = [
  empty('LocalStore', 'local', 'Local Override Store', ''),
  empty('DefaultStore', 'default', 'Initial Default Content', 'Unspecified'),
  { name: 'BasicStore', type: 'basic', pack: BASIC },
];

/** Summary data of the writable store, which is a layer on the wire only. */
export const BACKING_META = {
  Name: 'BackingStore',
  Source: '',
  Description: 'Writable backing store',
  Version: 'user',
  Documentation: '',
  Type: 'writable',
  Writable: true,
  Overwritable: false,
} as const;
