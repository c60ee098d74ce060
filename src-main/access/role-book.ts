/**
 * Roles by name, taken apart once per stored value and compiled once per set of roles, however many users and tokens
 * share the set. Everything is checked against the value in force, so nothing has to be told of changes. Revisions are
 * not enough: a role of a content layer and a stored one of the same name may carry the same number.
 */

import { compileGrants, type Grants, type ParsedGroup, parseGroup } from '../contract/claims/index.ts';
import type { JsonObject } from '../kit/json.ts';
import { type AccessReader, claimsOf } from './reader.ts';

/** The roles of a list of names that exist, and a key that is equal only for equal content. */
interface ResolvedRoles {
  readonly groups: readonly ParsedGroup[];
  readonly missing: readonly string[];
  readonly key: string;
}

/** Sets of roles and roles kept; past it the book starts over. */
const MOST_KEPT = 5_000;

export class RoleBook {
  readonly #read: Pick<AccessReader, 'role'>;
  readonly #parsed = new Map<
    string,
    { readonly value: JsonObject; readonly group: ParsedGroup; readonly serial: number }
  >();
  #serial = 0;
  readonly #compiled = new Map<string, Grants>();

  constructor(read: Pick<AccessReader, 'role'>) {
    this.#read = read;
  }

  resolve(names: readonly string[]): ResolvedRoles {
    const groups: ParsedGroup[] = [];
    const missing: string[] = [];
    const key: number[] = [];
    for (const name of names) {
      const stored = this.#read.role(name);
      if (!stored) {
        missing.push(name);
        continue;
      }
      let kept = this.#parsed.get(name);
      if (kept?.value !== stored.value) {
        if (this.#parsed.size >= MOST_KEPT) this.#parsed.clear();
        const group = parseGroup({ role: name, claims: claimsOf(stored.value) });
        kept = { value: stored.value, group, serial: ++this.#serial };
        this.#parsed.set(name, kept);
      }
      groups.push(kept.group);
      key.push(kept.serial);
    }
    return { groups, missing, key: key.join() };
  }

  compile({ groups, key }: ResolvedRoles): Grants {
    const kept = this.#compiled.get(key);
    if (kept) return kept;
    if (this.#compiled.size >= MOST_KEPT) this.#compiled.clear();
    const grants = compileGrants(groups);
    this.#compiled.set(key, grants);
    return grants;
  }
}
