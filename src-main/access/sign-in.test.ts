import { beforeEach, describe, expect, test } from 'vitest';
import type { Access } from './access.ts';
import { hashPassword } from './passwords.ts';
import { CHEAP, claim, TestWorld } from './test-world.ts';
import { TooManyAttempts } from './throttle.ts';

let world: TestWorld;
let access: Access;

beforeEach(async () => {
  world = new TestWorld();
  world.putRole('viewer', claim('*', 'get,list', '*'));
  world.putUser('ana', { Roles: ['viewer'], PasswordHash: await hashPassword('right', CHEAP) });
  world.putUser('no-password');
  access = world.access();
});

async function refusal(user: string, password: string, address = '10.0.0.1') {
  const error: unknown = await access.basic(user, password, address).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return error as { code: string; status: number; messages: string[] };
}

describe('signing in', () => {
  test('with the right password acts with all rights of the user', async () => {
    const actor = await access.basic('ana', 'right', '10.0.0.1', 'request-1');
    expect(actor).toMatchObject({ kind: 'user', name: 'ana', narrowed: false });
    expect(actor.allows('machines', 'get', 'm1')).toBe(true);
    expect(actor.allows('users', 'token', 'ana')).toBe(true);
    expect(actor.describe()).toMatchObject({ OwnUser: true, Grantor: null, Expires: null });
    expect(world.events).toEqual([{ user: 'ana', address: '10.0.0.1', outcome: 'ok', requestId: 'request-1' }]);
  });

  test('outlasts any token, and ends when the Secret changes', async () => {
    const actor = await access.basic('ana', 'right', '10.0.0.1');
    world.now += 86_400_000;
    expect(access.renew(actor).name).toBe('ana');
    world.putUser('ana', { Secret: 'new' });
    expect(() => access.renew(actor)).toThrow('Validation failed');
  });

  test('is refused alike for a wrong password, no password and no such user', async () => {
    const refusals = [
      await refusal('ana', 'wrong'),
      await refusal('ana', ''),
      await refusal('no-password', ''),
      await refusal('ghost', 'right'),
    ];
    for (const refused of refusals) {
      expect(refused).toMatchObject({ code: 'wrong-credentials', status: 403, messages: [] });
    }
    expect(world.events.map(({ outcome }) => outcome)).toEqual(Array(4).fill('wrong-credentials'));
    expect(JSON.stringify(world.events)).not.toContain('wrong"');
  });

  test('is throttled after too many failures, the right password included, and says for how long', async () => {
    for (let i = 0; i < 10; i++) await refusal('ana', `guess ${i}`);
    const refused = await refusal('ana', 'right');
    expect(refused).toBeInstanceOf(TooManyAttempts);
    expect(refused).toMatchObject({ status: 429, retryAfterSeconds: 6 });
    expect(world.events.at(-1)?.outcome).toBe('throttled');
    world.now += 6_000;
    expect((await access.basic('ana', 'right', '10.0.0.1')).name).toBe('ana');
  });

  test('stays possible for a sender that signed in before, while strangers guess', async () => {
    await access.basic('ana', 'right', '10.0.0.1');
    world.now += 120_000;
    for (let i = 0; i < 20; i++) await refusal('ana', 'guess', `10.0.1.${i}`);
    expect(await refusal('ana', 'right', '10.0.2.1')).toBeInstanceOf(TooManyAttempts);
    expect((await access.basic('ana', 'right', '10.0.0.1')).name).toBe('ana');
  });

  test('with every request is cheap while the password stays, and ends with it at once', async () => {
    await access.basic('ana', 'right', '10.0.0.1');
    for (let i = 0; i < 10; i++) await refusal('ana', 'guess');
    expect((await access.basic('ana', 'right', '10.0.0.1')).name).toBe('ana');
    world.putUser('ana', { PasswordHash: await hashPassword('changed', CHEAP), Secret: 'new' });
    expect(await refusal('ana', 'right', '10.0.0.9')).toMatchObject({ code: 'wrong-credentials' });
    world.remove('users', 'ana');
    expect(await refusal('ana', 'changed', '10.0.0.9')).toMatchObject({ code: 'wrong-credentials' });
  });

  test('is no answer for guesses beyond the limit, from elsewhere or from the same sender', async () => {
    await access.basic('ana', 'right', '10.0.0.1');
    for (let i = 0; i < 10; i++) await refusal('ana', `guess ${i}`, '10.0.0.9');
    expect(await refusal('ana', 'right', '10.0.0.9')).toBeInstanceOf(TooManyAttempts);
    expect((await access.basic('ana', 'right', '10.0.0.1')).name).toBe('ana');
    for (let i = 0; i < 10; i++) await refusal('ana', `guess ${i}`);
    expect(await refusal('ana', 'one more guess')).toBeInstanceOf(TooManyAttempts);
    expect(await refusal('ana', 'right')).toBeInstanceOf(TooManyAttempts);
  });

  test('many times at once checks the password once', async () => {
    const actors = await Promise.all(Array.from({ length: 40 }, () => access.basic('ana', 'right', '10.0.0.1')));
    expect(actors.every((actor) => actor.name === 'ana')).toBe(true);
    expect(world.events.filter(({ outcome }) => outcome === 'ok')).toHaveLength(40);
  });

  test('is refused when the password changes while it is being checked', async () => {
    // Long enough that the change comes while it is being checked, however busy the machine is.
    world.putUser('ana', { PasswordHash: await hashPassword('right', { N: 2 ** 15, r: 8, p: 1 }) });
    const changed = await hashPassword('changed', CHEAP);
    const running = refusal('ana', 'right');
    await new Promise(setImmediate);
    world.putUser('ana', { PasswordHash: changed });
    expect(await running).toMatchObject({ code: 'wrong-credentials' });
  });

  test('renews a hash with other work parameters, and only a right one', async () => {
    const old = await hashPassword('old way', { N: 32, r: 1, p: 1 });
    world.putUser('ana', { PasswordHash: old });
    await refusal('ana', 'wrong');
    expect(world.upgrades).toEqual([]);
    await access.basic('ana', 'old way', '10.0.0.1');
    await expect.poll(() => world.upgrades.length).toBe(1);
    const [upgrade] = world.upgrades;
    expect(upgrade).toMatchObject({ user: 'ana', replaced: old });
    world.putUser('ana', { PasswordHash: upgrade?.hash ?? '' });
    access = world.access();
    await access.basic('ana', 'old way', '10.0.0.1');
    expect(world.upgrades).toHaveLength(1);
  });

  test.each([
    ['hash of today', { N: 2048, r: 8, p: 1 }],
    ['hash from elsewhere that is cheaper to check', { N: 256, r: 8, p: 1 }],
  ])('takes about as long for a user that does not exist as for one with a %s', async (_which, stored) => {
    const cost = { N: 2048, r: 8, p: 1 };
    const limits = { perAddress: 1e6, perUser: 1e6, keys: 10, waiting: 10 };
    world.putUser('ana', { PasswordHash: await hashPassword('right', stored) });
    access = world.access({ cost, limits });
    const times: Record<'ana' | 'ghost', number[]> = { ana: [], ghost: [] };
    for (let i = 0; i < 61; i++) {
      for (const user of ['ana', 'ghost'] as const) {
        const start = performance.now();
        await refusal(user, `wrong ${i}`);
        times[user].push(performance.now() - start);
      }
    }
    const middle = (list: number[]): number => list.sort((a, b) => a - b)[30] ?? 0;
    const ratio = middle(times.ana) / middle(times.ghost);
    expect(ratio).toBeGreaterThan(0.5);
    expect(ratio).toBeLessThan(2);
  });
});
