/** Members of a tenant: which kinds of object it restricts, to which identifiers. Pure. */

type Members = Readonly<Record<string, readonly string[]>>;

export const byName = (a: string, b: string): number => a.localeCompare(b);

/** One line for the list: "machines 340, profiles 2"; a tenant without keys restricts nothing. */
export function membersText(members: Members): string {
  const scopes = Object.keys(members).sort(byName);
  if (scopes.length === 0) return 'nothing: all objects visible';
  return scopes.map((scope) => `${scope} ${(members[scope] ?? []).length}`).join(', ');
}

export function withScope(members: Members, scope: string): Record<string, string[]> {
  return { ...copy(members), [scope]: [...(members[scope] ?? [])] };
}

export function withoutScope(members: Members, scope: string): Record<string, string[]> {
  const { [scope]: _, ...others } = copy(members);
  return others;
}

export function withMembers(members: Members, scope: string, ids: readonly string[]): Record<string, string[]> {
  return { ...copy(members), [scope]: [...ids] };
}

function copy(members: Members): Record<string, string[]> {
  return Object.fromEntries(Object.entries(members).map(([scope, ids]) => [scope, [...ids]]));
}

/** How much of a kind a tenant shows: what is listed and exists, out of all there are, and what is listed besides. */
export function restrictedText(ids: readonly string[], all: ReadonlyMap<string, string>, complete: boolean): string {
  const known = ids.filter((id) => all.has(id)).length;
  const rest = ids.length - known;
  const shown = `Restricted: ${known.toLocaleString()} of ${all.size.toLocaleString()} visible`;
  if (rest === 0) return shown;
  const why = complete ? (rest === 1 ? 'does not exist' : 'do not exist') : 'not visible to you';
  return `${shown}, ${rest.toLocaleString()} ${why}`;
}

interface Matched {
  /** Identifiers to add, in the order they were typed. */
  readonly ids: readonly string[];
  /** Texts that are neither a name nor an identifier of an object that can be seen. */
  readonly unknown: readonly string[];
}

/**
 * Identifiers out of typed or pasted names and identifiers, divided by commas, blanks or lines. Without `known` (the objects
 * cannot be listed) every text is taken as an identifier.
 */
export function matchMembers(text: string, known: ReadonlyMap<string, string> | undefined): Matched {
  const words = [...new Set(text.split(/[\s,]+/).filter((word) => word !== ''))];
  if (!known) return { ids: words, unknown: [] };
  const all = new Set(known.values());
  const found = words.map((word) => ({ word, id: known.get(word) ?? (all.has(word) ? word : undefined) }));
  return {
    ids: [...new Set(found.flatMap(({ id }) => (id === undefined ? [] : [id])))],
    unknown: found.filter(({ id }) => id === undefined).map(({ word }) => word),
  };
}
