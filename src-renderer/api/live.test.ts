import { afterEach, describe, expect, it, vi } from 'vitest';
import { type ChangeEvent, liveMode, startLive } from './live.ts';

const stops: (() => void)[] = [];

afterEach(() => {
  for (const stop of stops.splice(0)) stop();
  vi.useRealTimers();
});

function stream(...events: readonly object[]): Response {
  const text = events.map((event, i) => `id: 12.${i}\ndata: ${JSON.stringify(event)}\n\n`).join('');
  return new Response(text, { headers: { 'content-type': 'text/event-stream' } });
}

function start(answers: readonly (() => Response)[]) {
  vi.useFakeTimers();
  liveMode.setState({ mode: 'connecting' });
  const asked: { url: string; authorization: string | null }[] = [];
  const seen: ChangeEvent[] = [];
  const onPoll = vi.fn();
  const onGap = vi.fn();
  const fetcher = (url: string | URL | Request, init?: RequestInit) => {
    asked.push({ url: String(url), authorization: new Headers(init?.headers).get('authorization') });
    const answer = answers[asked.length - 1];
    return answer ? Promise.resolve(answer()) : new Promise<Response>(() => {});
  };
  const onDrop = vi.fn();
  const live = startLive({
    token: () => 'T',
    onChange: (e) => seen.push(e),
    onGap,
    onPoll,
    onDrop,
    pollEvery: 15_000,
    fetch: fetcher as typeof fetch,
  });
  stops.push(live.stop);
  return { asked, seen, onPoll, onGap, onDrop, live };
}

describe('startLive', () => {
  it('sends the token, passes changes on and resumes after the last one seen', async () => {
    const change = { seq: 12, Type: 'users', Action: 'update', Key: 'ana' };
    const { asked, seen } = start([() => stream({ seq: 11, Type: 'roles', Action: 'create', Key: 'r' }, change)]);
    await vi.advanceTimersByTimeAsync(1_100);
    expect(seen.at(-1)).toEqual(change);
    expect(asked).toEqual([
      { url: '/api/v3/x/events', authorization: 'Bearer T' },
      { url: '/api/v3/x/events?from=12.1', authorization: 'Bearer T' },
    ]);
  });

  it('polls where the server has no stream, without asking for it again and again', async () => {
    const { asked, onPoll } = start([() => new Response('{}', { status: 404 })]);
    await vi.advanceTimersByTimeAsync(61_000);
    expect(liveMode.getState().mode).toBe('polling');
    expect(onPoll).toHaveBeenCalledTimes(4);
    expect(asked).toHaveLength(1);
  });

  it('calls everything stale when it comes back without a position', async () => {
    const fail = () => {
      throw new TypeError('network');
    };
    const { onGap } = start([fail, () => stream({ hello: true })]);
    await vi.advanceTimersByTimeAsync(1_500);
    expect(onGap).toHaveBeenCalledTimes(1);
  });

  it('calls everything stale when the server cannot replay what was missed', async () => {
    const reset = 'event: reset\ndata: {}\n\n';
    const { onGap, seen } = start([() => new Response(reset, { headers: { 'content-type': 'text/event-stream' } })]);
    await vi.advanceTimersByTimeAsync(10);
    expect(onGap).toHaveBeenCalledTimes(1);
    expect(seen).toEqual([]);
  });

  it('tells when an open stream ends, and tries again at once when woken', async () => {
    const broken = () => {
      throw new TypeError('network');
    };
    const { onDrop, asked, live } = start([() => stream({ hello: true }), broken, broken, broken]);
    await vi.advanceTimersByTimeAsync(3_500);
    expect(onDrop).toHaveBeenCalledTimes(1);
    expect(asked).toHaveLength(3);
    live.wake();
    await vi.advanceTimersByTimeAsync(10);
    expect(asked).toHaveLength(4);
  });

  it('stops for good', async () => {
    const { asked, onPoll } = start([() => stream()]);
    await vi.advanceTimersByTimeAsync(10);
    for (const stop of stops.splice(0)) stop();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(asked).toHaveLength(1);
    expect(onPoll).not.toHaveBeenCalled();
  });
});
