import { describe, expect, test } from 'vitest';
import { addressGroup, createThrottle, DEFAULT_LIMITS, TooManyAttempts } from './throttle.ts';

function setUp(limits = {}) {
  const state = { now: 1_000_000 };
  const throttle = createThrottle(() => state.now, { ...DEFAULT_LIMITS, ...limits });
  const fail = async (address: string, user: string): Promise<void> => (await throttle.admit(address, user)).failed();
  const failTimes = async (times: number, address: string, user = 'ana'): Promise<void> => {
    for (let i = 0; i < times; i++) await fail(address, user);
  };
  const refusal = async (address: string, user: string): Promise<TooManyAttempts> => {
    const error: unknown = await throttle.admit(address, user).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(TooManyAttempts);
    return error as TooManyAttempts;
  };
  return { state, throttle, fail, failTimes, refusal };
}

describe('failed sign-ins', () => {
  test('are refused after ten from one address, whatever the user', async () => {
    const { failTimes, refusal, fail } = setUp();
    for (let i = 0; i < 10; i++) await failTimes(1, '10.0.0.1', `user ${i}`);
    const refused = await refusal('10.0.0.1', 'another');
    expect(refused.status).toBe(429);
    expect(refused.retryAfterSeconds).toBe(6);
    await fail('10.0.0.2', 'another');
  });

  test('are refused after twenty for one user, whatever the address', async () => {
    const { failTimes, refusal, throttle } = setUp();
    for (let i = 0; i < 20; i++) await failTimes(1, `10.0.0.${i}`);
    await refusal('10.0.9.9', 'ana');
    await expect(throttle.admit('10.0.9.9', 'bo')).resolves.toBeDefined();
  });

  test('do not keep out a sender known to be the user', async () => {
    const { failTimes, throttle } = setUp();
    for (let i = 0; i < 20; i++) await failTimes(1, `10.0.0.${i}`);
    await expect(throttle.admit('10.0.9.9', undefined)).resolves.toBeDefined();
  });

  test('are forgotten evenly: after the time named there is room for one', async () => {
    const { state, failTimes, refusal, fail } = setUp();
    await failTimes(10, '10.0.0.1');
    state.now += ((await refusal('10.0.0.1', 'ana')).retryAfterSeconds ?? 0) * 1000;
    await fail('10.0.0.1', 'ana');
    await refusal('10.0.0.1', 'ana');
    state.now += 60_000;
    await failTimes(10, '10.0.0.1');
  });

  test('count the same when the clock is set back', async () => {
    const { state, failTimes, refusal } = setUp();
    await failTimes(10, '10.0.0.1');
    state.now -= 3_600_000;
    expect((await refusal('10.0.0.1', 'ana')).retryAfterSeconds).toBe(6);
  });
});

test('right sign-ins never count', async () => {
  const { throttle } = setUp();
  for (let i = 0; i < 100; i++) (await throttle.admit('10.0.0.1', 'ana')).succeeded();
});

test('many right sign-ins at once all get their turn', async () => {
  const { throttle } = setUp();
  const all = Array.from({ length: 50 }, async () => {
    const attempt = await throttle.admit('10.0.0.1', 'ana');
    await Promise.resolve();
    attempt.succeeded();
  });
  await expect(Promise.all(all)).resolves.toHaveLength(50);
});

test('guesses made at once get no more tries than guesses made in turn', async () => {
  const { throttle } = setUp();
  let tried = 0;
  const outcomes = await Promise.allSettled(
    Array.from({ length: 50 }, async () => {
      const attempt = await throttle.admit('10.0.0.1', 'ana');
      tried++;
      await Promise.resolve();
      attempt.failed();
    }),
  );
  expect(tried).toBe(10);
  expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(40);
});

test('those who wait are bounded', async () => {
  const { throttle } = setUp({ waiting: 5 });
  const held = await Promise.all(Array.from({ length: 10 }, () => throttle.admit('10.0.0.1', 'ana')));
  const waiting = Array.from({ length: 5 }, () => throttle.admit('10.0.0.1', 'ana'));
  await expect(throttle.admit('10.0.0.1', 'ana')).rejects.toBeInstanceOf(TooManyAttempts);
  for (const attempt of held) attempt.succeeded();
  await expect(Promise.all(waiting)).resolves.toHaveLength(5);
});

test('memory is bounded: the sender not heard of the longest is forgotten first', async () => {
  const { failTimes, refusal } = setUp({ keys: 3, perUser: 1000 });
  await failTimes(10, 'first');
  await failTimes(10, 'second');
  await failTimes(1, 'third');
  await refusal('first', 'ana');
  await failTimes(1, 'fourth');
  await refusal('first', 'ana');
  await failTimes(1, 'second');
});

test.each([
  ['10.0.0.1', '10.0.0.1'],
  ['::ffff:10.0.0.1', '10.0.0.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:0DB8:0001:0002::9', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
])('address %s counts as %s', (address, group) => {
  expect(addressGroup(address)).toBe(group);
});
