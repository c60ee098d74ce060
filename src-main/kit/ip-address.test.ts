import { describe, expect, test } from 'vitest';
import {
  addressKey,
  isGlobalUnicast,
  isHardwareAddress,
  isInNetwork,
  parseNetwork,
  v4Hex,
  v4Number,
  v4Text,
} from './ip-address.ts';

test.each([
  ['10.0.0.1', '00000000000000000000ffff0a000001'],
  ['::ffff:10.0.0.1', '00000000000000000000ffff0a000001'],
  ['::', '0'.repeat(32)],
  ['::1', `${'0'.repeat(31)}1`],
  ['FE80::1:2', 'fe800000000000000000000000010002'],
  ['1:2:3:4:5:6:7:8', '00010002000300040005000600070008'],
])('%s has a key that orders like its bytes', (text, key) => {
  expect(addressKey(text)).toBe(key);
});

test.each([
  '',
  'fred',
  '1.2.3',
  '1.2.3.256',
  '01.2.3.4',
  '1.2.3.4.5',
  '1:2:3',
  '::1::2',
  '12345::',
  '1:2:3:4:5:6:7:8:9',
  '1:2:3:4:5:6:7::8',
  ':1:2:3:4:5:6:7',
  '::1.2.3',
  ':',
])('%j is no address', (text) => {
  expect(addressKey(text)).toBeUndefined();
});

test('dotted addresses become numbers, hex keys and dotted text again', () => {
  expect(v4Number('255.255.255.255')).toBe(0xffffffff);
  expect(v4Text(0xc0a87cff)).toBe('192.168.124.255');
  expect(v4Hex('192.168.100.103')).toBe('C0A86467');
  expect(v4Hex('1.2.3.4')).toBe('01020304');
  expect(v4Hex('fred')).toBeUndefined();
});

test.each([
  ['10.0.0.1', true],
  ['240.0.0.1', true],
  ['2001:db8::1', true],
  ['0.0.0.0', false],
  ['127.0.0.1', false],
  ['169.254.1.1', false],
  ['224.0.0.1', false],
  ['255.255.255.255', false],
  ['::1', false],
  ['fe80::1', false],
  ['ff02::1', false],
  ['fred', false],
])('whether a machine can be given %s: %s', (text, expected) => {
  expect(isGlobalUnicast(text)).toBe(expected);
});

describe('a network', () => {
  test('has first and last address, mask and members', () => {
    const network = parseNetwork('192.168.124.77/24');
    expect(network && [v4Text(network.base), v4Text(network.broadcast), v4Text(network.mask), network.bits]).toEqual([
      '192.168.124.0',
      '192.168.124.255',
      '255.255.255.0',
      24,
    ]);
    expect(network && isInNetwork(network, '192.168.124.255')).toBe(true);
    expect(network && isInNetwork(network, '192.168.125.0')).toBe(false);
    expect(network && isInNetwork(network, 'fred')).toBe(false);
  });

  test('may be everything or a single address', () => {
    expect(parseNetwork('0.0.0.0/0')).toEqual({ base: 0, broadcast: 0xffffffff, mask: 0, bits: 0 });
    expect(parseNetwork('1.2.3.4/32')?.base).toBe(parseNetwork('1.2.3.4/32')?.broadcast);
  });

  test.each(['', '1.2.3.4', '1.2.3.4/33', '1.2.3.4/-1', '1.2.3.4/024', 'x/24', '1.2.3.4/'])('is not %j', (text) => {
    expect(parseNetwork(text)).toBeUndefined();
  });
});

test.each([
  ['de:ad:be:ef:00:01', true],
  ['DE-AD-BE-EF-00-01', true],
  ['dead.beef.0001', true],
  ['00:00:00:00:00:00:00:01', true],
  ['de:ad:be:ef:00', false],
  ['de:ad-be:ef:00:01', false],
  ['zz:ad:be:ef:00:01', false],
  ['', false],
])('whether %j is a hardware address: %s', (text, expected) => {
  expect(isHardwareAddress(text)).toBe(expected);
});
