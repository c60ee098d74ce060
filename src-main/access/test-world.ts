/** A small world for the tests of this room: committed records in Maps, a clock that stands still until moved. */
import { expect } from 'vitest';
import type { Claim } from '../contract/claims/index.ts';
import { Problem } from '../contract/errors.ts';
import type { JsonObject } from '../kit/json.ts';
import { type Access, type AccessDeps, createAccess } from './access.ts';
import type { ScryptCost } from './passwords.ts';
import type { AccessReader, Committed } from './reader.ts';
import type { SignInEvent } from './sign-in.ts';

export const CHEAP: ScryptCost = { N: 16, r: 1, p: 1 };

export const claim = (scope: string, action: string, specific: string): Claim => ({ scope, action, specific });

export class TestWorld implements AccessReader {
  now = Date.parse('2030-01-01T00:00:00Z');
  readonly events: SignInEvent[] = [];
  readonly upgrades: { user: string; hash: string; replaced: string }[] = [];
  readonly machines = new Map<string, { secret: string; address?: string }>();
  #commits = 0;
  readonly #records = {
    users: new Map<string, Committed>(),
    roles: new Map<string, Committed>(),
    tenants: new Map<string, Committed>(),
    preferences: new Map<string, Committed>(),
  };

  constructor() {
    this.prefer('baseTokenSecret', 'b'.repeat(32));
    this.prefer('systemGrantorSecret', 'grantor secret');
  }

  #put(prefix: 'users' | 'roles' | 'tenants' | 'preferences', name: string, value: JsonObject | undefined): void {
    this.#commits++;
    if (value === undefined) this.#records[prefix].delete(name);
    else this.#records[prefix].set(name, { value, revision: this.#commits });
  }

  putUser(name: string, fields: JsonObject = {}): void {
    const before = this.#records.users.get(name)?.value ?? { Name: name, Secret: `secret of ${name}`, Roles: [] };
    this.#put('users', name, { ...before, ...fields });
  }

  putRole(name: string, ...claims: readonly Claim[]): void {
    this.#put('roles', name, { Name: name, Claims: claims.map((item) => ({ ...item })) });
  }

  putTenant(name: string, users: readonly string[], members: Readonly<Record<string, readonly string[]>>): void {
    this.#put('tenants', name, { Name: name, Users: users, Members: members });
  }

  prefer(name: string, value: string): void {
    this.#put('preferences', name, { Name: name, Val: value });
  }

  remove(prefix: 'users' | 'roles' | 'tenants', name: string): void {
    this.#put(prefix, name, undefined);
  }

  user(name: string): Committed | undefined {
    return this.#records.users.get(name);
  }

  role(name: string): Committed | undefined {
    return this.#records.roles.get(name);
  }

  tenantOf(userName: string): Committed | undefined {
    return [...this.#records.tenants.values()].find(({ value }) => (value['Users'] as string[]).includes(userName));
  }

  machineSecret(uuid: string): string | undefined {
    return this.machines.get(uuid)?.secret;
  }

  machineAddress(uuid: string): string | undefined {
    return this.machines.get(uuid)?.address;
  }

  preference(name: string): string | undefined {
    return this.#records.preferences.get(name)?.value['Val'] as string | undefined;
  }

  generation(): number {
    return this.#commits;
  }

  access(options: Partial<AccessDeps> = {}): Access {
    return createAccess({
      read: this,
      clock: () => this.now,
      onSignIn: (event) => this.events.push(event),
      onPasswordUpgrade: (user, hash, replaced) => this.upgrades.push({ user, hash, replaced }),
      cost: CHEAP,
      ...options,
    });
  }
}

/** The world most tests start from: `root` the superuser, `ana` with a role, `bo` with none. */
export function commonWorld(): TestWorld {
  const world = new TestWorld();
  world.putRole('superuser', claim('*', '*', '*'));
  world.putRole('lab-ops', claim('machines', 'list,get,action', '*'), claim('info', 'get', '*'));
  world.putRole('one-machine', claim('machines', 'get', 'm1'));
  world.putUser('root', { Roles: ['superuser'] });
  world.putUser('ana', { Roles: ['lab-ops'] });
  world.putUser('bo', { Roles: [] });
  return world;
}

/** The Problem that `run` throws; fails when it throws none. */
export function failure(run: () => unknown): Problem {
  try {
    run();
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

/** `unknown`: not ours, or expired. `changed`: a Secret it rests on is not what it was. */
export function expectDead(access: Access, token: string, kind: 'unknown' | 'changed'): void {
  const problem = failure(() => access.bearer(token));
  expect(problem).toMatchObject({ code: 'dead-token', status: 403, type: 'AUTH' });
  expect(problem.messages).toEqual([
    kind === 'unknown'
      ? expect.stringMatching(/^The token (is not one of this system|expired at)/)
      : 'Validation failed',
  ]);
}
