/**
 * The last log lines in their wire form (wire-format.md 4.21), and each of them as an event. A line below the level its service is
 * set to is not kept; audit lines always are.
 */
import type { Actor } from '../access/index.ts';
import { isSecretName } from '../contract/secret-names.ts';
import type { JsonObject } from '../kit/json.ts';
import type { Log } from '../kit/log.ts';

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'panic', 'fatal', 'audit'] as const;
type LogLevel = (typeof LOG_LEVELS)[number];

export type LogLine = {
  readonly Group: number;
  readonly Seq: number;
  readonly Time: string;
  readonly File: string;
  readonly Line: number;
  readonly Level: LogLevel;
  readonly Service: string;
  readonly Message: string;
  readonly Data: readonly JsonObject[];
  readonly IgnorePublish: boolean;
};

/** Names of the users that lines are about; beside the lines, whose form is that of the wire. */
const ABOUT = new WeakMap<object, string>();

/** Whether a line may be shown: one about a user (a sign-in) only where the tenant shows that user, or it is oneself. */
export function showsLine(actor: Pick<Actor, 'name' | 'sees'>, line: object): boolean {
  const user = ABOUT.get(line);
  return user === undefined || user === actor.name || actor.sees('users', user);
}

const KEPT = 1_000;

export interface LogLines {
  /** A log that also writes to `below`. A line with a field `user` is about that user. */
  of(service: string, below: Log): Log;
  /** Who did what; kept whatever the levels say. `user`: whom it is about. */
  audit(service: string, message: string, user: string): void;
  /** Oldest first. */
  lines(): readonly LogLine[];
}

interface LogLinesDeps {
  readonly clock: () => number;
  /** Lowest level that is kept of a service. */
  readonly threshold: (service: string) => string;
  /** Must not throw. */
  readonly onLine: (line: LogLine) => void;
}

/**
 * Fields as JSON. Nothing that is logged is a secret; should it ever be, its name gives it away. An error shows its kind and sentence,
 * never its stack.
 */
function dataOf(fields: object): JsonObject[] {
  const entries = Object.entries(fields).map(([name, value]): [string, unknown] => [
    name,
    isSecretName(name) ? '***' : value instanceof Error ? `${value.name}: ${value.message}` : value,
  ]);
  return entries.length === 0 ? [] : [JSON.parse(JSON.stringify(Object.fromEntries(entries))) as JsonObject];
}

const rank = (level: string): number => LOG_LEVELS.indexOf(level as LogLevel);

export function createLogLines({ clock, threshold, onLine }: LogLinesDeps): LogLines {
  let kept: LogLine[] = [];
  let seq = 0;
  let publishing = false;
  const add = (service: string, level: LogLevel, message: string, fields: object, user?: unknown): void => {
    if (level !== 'audit' && rank(level) < rank(threshold(service))) return;
    const line: LogLine = {
      Group: 1,
      Seq: ++seq,
      Time: new Date(clock()).toISOString(),
      File: '',
      Line: 0,
      Level: level,
      Service: service,
      Message: message,
      Data: dataOf(fields),
      // A line about delivering lines must not become a line to deliver.
      IgnorePublish: publishing,
    };
    if (typeof user === 'string') ABOUT.set(line, user);
    kept.push(line);
    if (kept.length > 2 * KEPT) kept = kept.slice(-KEPT);
    if (publishing) return;
    publishing = true;
    try {
      onLine(line);
    } finally {
      publishing = false;
    }
  };
  const method =
    (service: string, below: Log, level: 'debug' | 'info' | 'warn' | 'error') =>
    (fields: object, message: string): void => {
      below[level](fields, message);
      add(service, level, message, fields, (fields as { readonly user?: unknown }).user);
    };
  return {
    of: (service, below) => ({
      debug: method(service, below, 'debug'),
      info: method(service, below, 'info'),
      warn: method(service, below, 'warn'),
      error: method(service, below, 'error'),
    }),
    audit: (service, message, user) => add(service, 'audit', message, {}, user),
    lines: () => kept.slice(-KEPT),
  };
}
