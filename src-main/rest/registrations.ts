/**
 * What a websocket client listens to (wire-format.md 7.2): `<type>.<action>.<key>`, `*` for anything, comma lists, and the
 * escapes `\1` `\2` `\3` for `.` `,` `*`. The key is everything after the second dot. Pure.
 */

type Part = ReadonlySet<string> | 'any';

export interface Registration {
  readonly text: string;
  readonly type: Part;
  readonly action: Part;
  readonly key: Part;
}

const ESCAPES: Readonly<Record<string, string>> = { '1': '.', '2': ',', '3': '*' };

function decodeEscapes(text: string): string {
  return text.replace(/\\([123])/g, (_all, digit: string) => ESCAPES[digit] ?? '');
}

function part(text: string): Part {
  const items = text.split(',').map((item) => item.trim());
  return items.includes('*') ? 'any' : new Set(items.map(decodeEscapes));
}

/** Reads a registration; undefined when it has no three parts. */
export function parseRegistration(text: string): Registration | undefined {
  const first = text.indexOf('.');
  const second = text.indexOf('.', first + 1);
  if (first < 1 || second < 0) return undefined;
  return {
    text,
    type: part(text.slice(0, first)),
    action: part(text.slice(first + 1, second)),
    key: part(text.slice(second + 1)),
  };
}

const holds = (wanted: Part, value: string): boolean => wanted === 'any' || wanted.has(value);

export function registrationMatches(
  registration: Registration,
  event: { type: string; action: string; key: string },
): boolean {
  return (
    holds(registration.type, event.type) &&
    holds(registration.action, event.action) &&
    holds(registration.key, event.key)
  );
}

type ClientMessage =
  | { readonly verb: 'register' | 'deregister'; readonly text: string }
  /** Anything else is ignored. */
  | undefined;

export function parseMessage(text: string): ClientMessage {
  const match = /^(register|deregister) (.+)$/s.exec(text.trim());
  return match ? { verb: match[1] as 'register' | 'deregister', text: match[2] as string } : undefined;
}
