/** Server preferences (wire-format.md 12.1): always text, all or nothing, each with its own check. */
import { Problem } from '../contract/errors.ts';
import { SECRET_PREFERENCES } from '../contract/models/index.ts';
import { isJsonObject } from '../kit/json.ts';
import { type Committer, originOf } from './committer.ts';
import type { Guard } from './guard.ts';
import { LOG_LEVELS } from './log-lines.ts';
import type { Call, View } from './types.ts';

/** Stands for a value that the reader may not see. */
const HIDDEN = '***';

type Check = (value: string, view: View) => { readonly value: string } | { readonly problem: string };

const ok = (value: string): { value: string } => ({ value });
const no = (problem: string): { problem: string } => ({ problem });

const NUMBERED_LEVELS: Readonly<Record<string, string>> = { '0': 'warn', '1': 'info', '2': 'debug' };

const level: Check = (value) => {
  const named = NUMBERED_LEVELS[value] ?? value;
  return (LOG_LEVELS as readonly string[]).includes(named) ? ok(named) : no(`Invalid log level ${value}`);
};

const seconds: Check = (value) => {
  if (!/^[+-]?[0-9]+$/.test(value)) return no(`strconv.Atoi: parsing "${value}": invalid syntax`);
  return Number(value) < 0 ? no('Must not be negative') : ok(value);
};

const existing =
  (prefix: string, noun: string): Check =>
  (value, view) =>
    (value === '' && prefix === 'workflows') || view.get(prefix, value)
      ? ok(value)
      : no(`${noun} ${value} does not exist`);

const bootEnv =
  (onlyUnknown: boolean): Check =>
  (value, view) => {
    const stored = view.get('bootenvs', value);
    if (!stored) return no(`Bootenv ${value} does not exist`);
    if ((stored.value['OnlyUnknown'] === true) !== onlyUnknown)
      return no(
        onlyUnknown ? `Bootenv ${value} is not for unknown machines` : `Bootenv ${value} is only for unknown machines`,
      );
    return ok(value);
  };

/** Fallback is undefined for preferences that are absent until set. */
const PREFERENCES: Readonly<Record<string, { readonly fallback?: string; readonly check: Check }>> = {
  baseTokenSecret: { check: (value) => (Buffer.byteLength(value) === 32 ? ok(value) : no('Must be 32 bytes long')) },
  systemGrantorSecret: { check: ok },
  debugBootEnv: { fallback: 'warn', check: level },
  debugDhcp: { fallback: 'warn', check: level },
  debugFrontend: { fallback: 'warn', check: level },
  debugPlugins: { fallback: 'warn', check: level },
  debugRenderer: { fallback: 'warn', check: level },
  logLevel: { fallback: 'warn', check: level },
  defaultBootEnv: { fallback: 'local', check: bootEnv(false) },
  defaultStage: { fallback: 'none', check: existing('stages', 'Stage') },
  defaultWorkflow: { check: existing('workflows', 'Workflow') },
  unknownBootEnv: { fallback: 'ignore', check: bootEnv(true) },
  knownTokenTimeout: { fallback: '3600', check: seconds },
  unknownTokenTimeout: { fallback: '600', check: seconds },
  // Ours (architecture.md 3): whether denied reads say so (`forbid`, also when unset) or look absent.
  deniedReads: {
    check: (value) => (value === 'forbid' || value === 'conceal' ? ok(value) : no('Must be forbid or conceal')),
  },
};

/** Value in force: what was set, else the fallback. */
export function preferenceOf(view: View, name: string): string | undefined {
  return view.preference(name) ?? PREFERENCES[name]?.fallback;
}

interface PreferenceDeps {
  readonly view: View;
  readonly guard: Guard;
  readonly committer: Committer;
}

/**
 * All preferences in force that the caller's tenant shows. Whoever has a token secret can make any token, so these are shown to those alone who may set them; others
 * see that there is one.
 */
function allPreferences({ view, guard }: PreferenceDeps, call: Call): Record<string, string> {
  const out: Record<string, string> = {};
  for (const name of Object.keys(PREFERENCES)) {
    const value = call.actor.sees('preferences', name) ? preferenceOf(view, name) : undefined;
    if (value === undefined) continue;
    const isHidden =
      SECRET_PREFERENCES.has(name) && !guard.allows(call, [{ scope: 'preferences', action: 'post', specific: name }]);
    out[name] = isHidden ? HIDDEN : value;
  }
  return out;
}

export function readPreferences(deps: PreferenceDeps, call: Call): Record<string, string> {
  deps.guard.demand(call, [{ scope: 'preferences', action: 'list', specific: '*' }]);
  return allPreferences(deps, call);
}

/** Sets a subset; nothing is applied when one entry is bad, or of a name that the tenant hides. Resolves to the full map. */
export async function writePreferences(
  deps: PreferenceDeps,
  call: Call,
  body: unknown,
): Promise<Record<string, string>> {
  if (!isJsonObject(body))
    throw new Problem('bad-request', 'Preferences are an object of name to text', { model: 'prefs' });
  const entries = Object.entries(body);
  const names = entries.map(([name]) => name);
  // Answered with all preferences, so that setting none is reading them.
  const reading = { scope: 'preferences', action: 'list', specific: '*' };
  deps.guard.demand(
    call,
    names.length === 0 ? [reading] : names.map((name) => ({ scope: 'preferences', action: 'post', specific: name })),
  );
  const accepted: [string, string][] = [];
  for (const [name, raw] of entries) {
    const isShown = Object.hasOwn(PREFERENCES, name) && call.actor.sees('preferences', name);
    const preference = isShown ? PREFERENCES[name] : undefined;
    if (!preference) throw new Problem('bad-request', `Unknown Preference ${name}`, { model: 'prefs' });
    if (typeof raw !== 'string') throw new Problem('bad-request', `${name}: must be text`, { model: 'prefs' });
    const checked = preference.check(raw, deps.view);
    if ('problem' in checked) throw new Problem('bad-request', `${name}: ${checked.problem}`, { model: 'prefs' });
    accepted.push([name, checked.value]);
  }
  if (accepted.length > 0) {
    await deps.committer.commit(originOf(call), undefined, (unit) => {
      for (const [name, value] of accepted) unit.put('preferences', name, { Name: name, Val: value, Meta: {} });
    });
  }
  return allPreferences(deps, call);
}
