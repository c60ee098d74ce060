/** Preferences (wire-format.md 4.18): settings of the service. Their routes are `/prefs`; as objects they appear in content layers only. */
import Type from 'typebox';
import { define } from './define.ts';
import { meta, text } from './fields.ts';

export const Preference = Type.Object({ Meta: meta(), Name: text(), Val: text() }, { title: 'Pref' });
export type Preference = Type.Static<typeof Preference>;

/** Preferences whose value no log, export or event may hold. */
export const SECRET_PREFERENCES: ReadonlySet<string> = new Set(['baseTokenSecret', 'systemGrantorSecret']);

export const preferences = define({
  prefix: 'preferences',
  schema: Preference,
  indexed: false,
  creatable: false,
  writable: false,
  // A pointer cannot look at the name, so every value is masked: losing a log level in the log is the smaller evil.
  secretFields: ['/Val'],
});
