import { expect, test } from 'vitest';
import { isForeignRequest, isOwn, isOwnPage, mayUseBridge } from './own-origin.ts';

const ours = 'https://127.0.0.1:8092';

test.each([
  ['https://127.0.0.1:8092/ui/', true],
  ['blob:https://127.0.0.1:8092/6f1c', true],
  ['https://127.0.0.1:8093/ui/', false],
  ['http://127.0.0.1:8092/ui/', false],
  ['https://127.0.0.1:8092@example.invalid/', false],
  ['https://127.0.0.1.example.invalid:8092/', false],
  ['javascript:alert(1)', false],
  ['file:///etc/passwd', false],
  ['about:blank', false],
  ['data:text/html,x', false],
  ['', false],
])('%s is ours: %s', (url, own) => {
  expect(isOwn(url, ours)).toBe(own);
});

test.each([
  ['https://127.0.0.1:8092/ui/', true],
  ['https://127.0.0.1:8092/ui/users?filter=a#b', true],
  ['https://127.0.0.1:8092/api/v3/info', false],
  ['https://127.0.0.1:8092/ui/../api/v3/info', false],
  ['blob:https://127.0.0.1:8092/ui/', false],
])('%s is a page of ours: %s', (url, page) => {
  expect(isOwnPage(url, ours)).toBe(page);
});

test.each([
  ['https://127.0.0.1:8092/api/v3/info', false],
  ['wss://127.0.0.1:8092/api/v3/ws', false],
  ['data:image/png;base64,AA==', false],
  ['devtools://devtools/bundled/x.js', false],
  ['ws://127.0.0.1:8092/', true],
  ['http://127.0.0.1:8092/', true],
  ['https://example.invalid/', true],
  ['https://127.0.0.1/', true],
  ['not a url', true],
])('loading %s would leave the house: %s', (url, foreign) => {
  expect(isForeignRequest(url, ours)).toBe(foreign);
});

test('only the top frame of our own page may use the bridge', () => {
  expect(mayUseBridge({ url: `${ours}/ui/users`, parent: null }, ours)).toBe(true);
  expect(mayUseBridge({ url: `${ours}/ui/users`, parent: {} }, ours)).toBe(false);
  expect(mayUseBridge({ url: `${ours}/api/v3/info`, parent: null }, ours)).toBe(false);
  expect(mayUseBridge({ url: 'https://example.invalid/', parent: null }, ours)).toBe(false);
  expect(mayUseBridge(null, ours)).toBe(false);
});
