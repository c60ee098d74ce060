import { expect, test } from 'vitest';
import { REFUSED, TRUSTED, verifyPinned } from './pinned-certificate.ts';

const pin = { hostname: '127.0.0.1', fingerprint: 'AAAA' };
const verify = (hostname: string, fingerprint: string) => verifyPinned({ hostname, certificate: { fingerprint } }, pin);

test('our own certificate on our own host is trusted', () => {
  expect(verify('127.0.0.1', 'sha256/AAAA')).toBe(TRUSTED);
});

test('another certificate, or ours on another host, is refused', () => {
  expect(verify('127.0.0.1', 'sha256/BBBB')).toBe(REFUSED);
  expect(verify('127.0.0.1', 'AAAA')).toBe(REFUSED);
  expect(verify('localhost', 'sha256/AAAA')).toBe(REFUSED);
  expect(verify('example.invalid', 'sha256/AAAA')).toBe(REFUSED);
});
