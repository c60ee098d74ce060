import { EventEmitter } from 'node:events';
import type { Session, WebContents } from 'electron';
import { beforeEach, expect, test, vi } from 'vitest';
import { SILENT } from '../kit/log.ts';
import { guardContents, guardSession, refusalLog } from './guards.ts';

const origin = 'https://127.0.0.1:8092';
const pin = { hostname: '127.0.0.1', fingerprint: 'AAAA' };
type Handler = (...args: unknown[]) => unknown;

/** A session that only remembers which handler was set under which name. */
class FakeSession extends EventEmitter {
  readonly handlers: Record<string, Handler> = {};
  readonly #set = (name: string) => (handler: Handler) => {
    this.handlers[name] = handler;
  };
  setCertificateVerifyProc = this.#set('certificate');
  setPermissionRequestHandler = this.#set('request');
  setPermissionCheckHandler = this.#set('check');
  setDevicePermissionHandler = this.#set('device');
  setDisplayMediaRequestHandler = this.#set('display');
  webRequest = { onBeforeRequest: this.#set('beforeRequest') };
}

let session: FakeSession;
const refused = vi.fn();
beforeEach(() => {
  refused.mockClear();
  session = new FakeSession();
  guardSession(session as unknown as Session, origin, pin, refused);
});

/** What a handler with a callback answers; the callback is its argument number `at`. */
const answerOf = (name: string, at: number, ...args: unknown[]): unknown => {
  const answer = vi.fn();
  session.handlers[name]?.(...args.slice(0, at), answer, ...args.slice(at));
  return answer.mock.calls[0]?.[0];
};

test('only the pinned certificate is accepted', () => {
  const present = (fingerprint: string) =>
    answerOf('certificate', 1, { hostname: '127.0.0.1', certificate: { fingerprint } });
  expect(present('sha256/AAAA')).toBe(0);
  expect(present('sha256/BBBB')).toBe(-2);
  expect(refused.mock.calls).toEqual([['certificate', '127.0.0.1']]);
});

test('requests leave only for our own listener', () => {
  const request = (url: string) => answerOf('beforeRequest', 1, { url });
  expect(request(`${origin}/api/v3/users`)).toEqual({ cancel: false });
  expect(request('https://example.invalid/')).toEqual({ cancel: true });
  expect(request('http://127.0.0.1:9000/')).toEqual({ cancel: true });
});

test('no permission is given but writing to the clipboard, and that to our own pages', () => {
  const ask = (permission: string, requestingUrl: string) =>
    answerOf('request', 2, null, permission, { requestingUrl });
  for (const permission of ['media', 'geolocation', 'notifications', 'clipboard-read', 'openExternal', 'unknown']) {
    expect(ask(permission, `${origin}/ui/`)).toBe(false);
    expect(session.handlers['check']?.(null, permission, origin)).toBe(false);
  }
  expect(ask('clipboard-sanitized-write', `${origin}/ui/`)).toBe(true);
  expect(ask('clipboard-sanitized-write', 'https://example.invalid/')).toBe(false);
  expect(session.handlers['check']?.(null, 'clipboard-sanitized-write', `${origin}/`)).toBe(true);
  expect(session.handlers['device']?.({})).toBe(false);
  expect(answerOf('display', 1, {})).toEqual({});
});

test('downloads come from our own origin only', () => {
  const download = (url: string): boolean => {
    const preventDefault = vi.fn();
    session.emit('will-download', { preventDefault }, { getURL: () => url });
    return preventDefault.mock.calls.length === 0;
  };
  expect(download(`blob:${origin}/6f1c`)).toBe(true);
  expect(download(`${origin}/host/logs`)).toBe(true);
  expect(download('https://example.invalid/x.exe')).toBe(false);
  expect(download('data:text/plain,x')).toBe(false);
});

test('a page goes only to pages of ours, and opens and embeds nothing', () => {
  let openHandler: Handler | undefined;
  const contents = Object.assign(new EventEmitter(), {
    getURL: () => `${origin}/ui/`,
    setWindowOpenHandler: (handler: Handler) => {
      openHandler = handler;
    },
  });
  guardContents(contents as unknown as WebContents, origin, refused);
  const allowed = (event: string, url: string): boolean => {
    const preventDefault = vi.fn();
    contents.emit(event, { url, preventDefault });
    return preventDefault.mock.calls.length === 0;
  };
  for (const event of ['will-navigate', 'will-redirect', 'will-frame-navigate']) {
    expect(allowed(event, `${origin}/ui/users`)).toBe(true);
    expect(allowed(event, 'https://example.invalid/')).toBe(false);
    expect(allowed(event, 'file:///etc/passwd')).toBe(false);
  }
  expect(allowed('will-attach-webview', `${origin}/ui/`)).toBe(false);
  expect(openHandler?.({ url: `${origin}/ui/` })).toEqual({ action: 'deny' });
});

test('a page that tries in a loop is logged once', () => {
  const warn = vi.fn();
  const note = refusalLog({ ...SILENT, warn });
  for (let i = 0; i < 100; i += 1) note('window', 'https://example.invalid/');
  note('window', `https://example.invalid/${'x'.repeat(5_000)}`);
  expect(warn).toHaveBeenCalledTimes(2);
  expect(JSON.stringify(warn.mock.calls).length).toBeLessThan(2_000);
});
