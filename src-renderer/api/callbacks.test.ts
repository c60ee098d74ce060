import { describe, expect, it } from 'vitest';
import { callbacksOf, showAnswer } from './callbacks.ts';
import type { Plugin } from './types.ts';

const plugin = (callbacks: unknown) =>
  ({ Name: 'cb', Params: { 'callback/callbacks': callbacks } }) as unknown as Plugin;

describe('callbacksOf', () => {
  it('reads name, method with its default, address and answer mode', () => {
    expect(
      callbacksOf(
        plugin({ a: { Url: 'u' }, b: { Url: 'v', Method: 'PUT', JsonResponse: true, StringResponse: true } }),
      ),
    ).toEqual([
      { plugin: 'cb', action: 'a', method: 'POST', url: 'u', mode: 'base64' },
      { plugin: 'cb', action: 'b', method: 'PUT', url: 'v', mode: 'json' },
    ]);
  });

  it('is empty for anything that is no map', () => {
    for (const odd of [undefined, null, 'x', [], { a: 3 }]) expect(callbacksOf(plugin(odd))).toEqual([]);
  });
});

describe('showAnswer', () => {
  it('decodes the default mode as UTF-8 text', () => {
    expect(showAnswer('aMOpbGxv', 'base64')).toEqual({
      kind: 'text',
      text: 'héllo',
      note: 'decoded from base64, 6 bytes',
    });
  });

  it('keeps bytes that are no text as base64', () => {
    expect(showAnswer('/wA=', 'base64')).toMatchObject({ kind: 'binary', base64: '/wA=', bytes: 2 });
  });

  it('shows an answer that is not base64 as sent', () => {
    expect(showAnswer('not base64!', 'base64')).toMatchObject({ kind: 'text', text: 'not base64!' });
  });

  it('shows JSON and strings as they are', () => {
    expect(showAnswer({ ok: true }, 'json')).toMatchObject({ kind: 'json', value: { ok: true } });
    expect(showAnswer('thanks', 'string')).toMatchObject({ kind: 'text', text: 'thanks' });
  });
});
