/**
 * Roles by name, taken apart once per revision and compiled once per set of roles, however many users and tokens share
 * the set. Everything is checked against the revision in force, so nothing has to be told of changes.
 */
import { compileGrants, type Grants, type ParsedGroup, parseGroup } from '../contract/claims/index.ts';
import { type AccessReader, claimsOf } from './reader.ts';

/** The roles of a list of names that exist, and a key that is equal only for equal content. */
export interface ResolvedRoles {
  readonly groups: readonly ParsedGroup[];
  readonly missing: readonly string[];
  readonly key: string;
}

/** Sets of roles and roles kept; past it the book starts over. */
const MOST_KEPT = 5_000;

export class RoleBook {
  readonly #read: Pick<AccessReader, 'role'>;
  readonly #parsed = new Map<string, { readonly revision: number; readonly group: ParsedGroup }>();
  readonly #compiled = new Map<string, Grants>();

  constructor(read: Pick<AccessReader, 'role'>) {
    this.#read = read;
  }

  resolve(names: readonly string[]): ResolvedRoles {
    const groups: ParsedGroup[] = [];
    const missing: string[] = [];
    const key: (string | number)[] = [];
    for (const name of names) {
      const stored = this.#read.role(name);
      if (!stored) {
        missing.push(name);
        continue;
      }
      let kept = this.#parsed.get(name);
      if (kept?.revision !== stored.revision) {
        if (this.#parsed.size >= MOST_KEPT) this.#parsed.clear();
        kept = { revision: stored.revision, group: parseGroup({ role: name, claims: claimsOf(stored.value) }) };
        this.#parsed.set(name, kept);
      }
      groups.push(kept.group);
      key.push(name, stored.revision);
    }
    return { groups, missing, key: JSON.stringify(key) };
  }

  compile({ groups, key }: ResolvedRoles): Grants {
    const kept = this.#compiled.get(key);
    if (kept) return kept;
    if (this.#compiled.size >= MOST_KEPT) this.#compiled.clear();
    const grants = compileGrants(groups);
    this.#compiled.set(key, grants);
    return grants;
  }

  forget(): void {
    this.#parsed.clear();
    this.#compiled.clear();
  }
}
