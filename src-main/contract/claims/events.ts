/** Who may be told of an event (wire-format.md 7.4). */
import type { RequiredClaim } from './allows.ts';
import { routeTable } from './route-table.ts';

const OBJECT_SCOPES: ReadonlySet<string> = new Set(
  routeTable.flatMap((row) => (/^\/:type\/[:*]key$/.test(row.pattern) ? [...(row.types ?? [])] : [])),
);
const CHANGES: ReadonlySet<string> = new Set(['create', 'update', 'save', 'delete']);

/**
 * Claims of which any one lets a listener receive the event: `<Type> <Action> <Key>`, and for a change of an object
 * also `get` on it, because the event shows no more than reading it would. Log lines need `logs get`. `authKey`: the
 * identifier that claims on the object name, for a job the UUID of its machine.
 */
export function eventClaims(type: string, action: string, authKey: string): readonly RequiredClaim[] {
  if (type === 'log') return [{ scope: 'logs', action: 'get', specific: '' }];
  const itself: RequiredClaim = { scope: type, action, specific: authKey };
  if (!OBJECT_SCOPES.has(type) || !CHANGES.has(action)) return [itself];
  return [itself, { scope: type, action: 'get', specific: authKey }];
}
