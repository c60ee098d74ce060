import { createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../kit/json.ts';
import { keyId, RACKN_PUBLIC_KEY, readPublicKey, signBundle, type TrustedKey, verifyLicense } from './signed.ts';

const vendor = generateKeyPairSync('ed25519');
const stranger = generateKeyPairSync('ed25519');
const trusted: readonly TrustedKey[] = [{ signer: 'acme', lab: false, key: vendor.publicKey }];
const bundle: JsonObject = {
  Owner: 'Lab',
  Licenses: [{ Name: 'rbac', StartDate: '2030-01-01T00:00:00Z', HardExpireDate: '2031-01-01T00:00:00Z', Data: null }],
};

function sentence(text: string): string {
  const checked = verifyLicense(text, trusted);
  return checked.ok ? 'accepted' : checked.sentence;
}

function nacl(message: string, key: KeyObject): string {
  const bytes = Buffer.from(message);
  return Buffer.concat([sign(null, bytes, key), bytes]).toString('base64');
}

describe('a license of our own form', () => {
  const text = signBundle(bundle, vendor.privateKey);

  test('is accepted with its signature and says who signed it', () => {
    const checked = verifyLicense(text, trusted);
    expect(checked).toMatchObject({
      ok: true,
      verified: { signer: 'acme', lab: false, keyId: keyId(vendor.publicKey), bundle: { Owner: 'Lab' } },
    });
  });

  test('may be reformatted, its members in any order', () => {
    const parsed = JSON.parse(text) as JsonObject;
    const reordered = Object.fromEntries(Object.entries(parsed).reverse());
    reordered['bundle'] = Object.fromEntries(Object.entries(reordered['bundle'] as JsonObject).reverse());
    expect(sentence(JSON.stringify(reordered))).toBe('accepted');
  });

  test('may come packed in base64, as the param of a content layer', () => {
    expect(sentence(Buffer.from(text).toString('base64'))).toBe('accepted');
  });

  test.each([
    ['a later expiry', text.replace('2031-01-01', '2099-01-01')],
    ['another feature', text.replace('"rbac"', '"rbac2"')],
    ['another owner', text.replace('"Lab"', '"Other"')],
  ])('with %s was changed after it was signed', (_, changed) => {
    expect(changed).not.toBe(text);
    expect(sentence(changed)).toBe('It was changed after it was signed');
  });

  test('signed by a stranger is refused, also under the name of a trusted key', () => {
    const foreign = signBundle(bundle, stranger.privateKey);
    expect(sentence(foreign)).toMatch(/^It is signed with key [0-9a-f]{16}, which this data directory does not trust$/);
    const renamed = foreign.replace(keyId(stranger.publicKey), keyId(vendor.publicKey));
    expect(sentence(renamed)).toBe('It was changed after it was signed');
  });

  test.each(['', 'AAAA', 'x'.repeat(5000)])('with the signature %.10j is refused', (signature) => {
    const parsed = { ...(JSON.parse(text) as JsonObject), signature };
    expect(sentence(JSON.stringify(parsed))).toBe('It was changed after it was signed');
  });
});

describe('a license of the NaCl form', () => {
  test('is accepted with YAML or JSON inside', () => {
    expect(sentence(nacl(JSON.stringify(bundle), vendor.privateKey))).toBe('accepted');
    const yaml = 'Owner: Lab\nLicenses:\n  - Name: rbac\n    HardExpireDate: 2031-01-01T00:00:00Z\n';
    const checked = verifyLicense(nacl(yaml, vendor.privateKey), trusted);
    expect(checked).toMatchObject({
      ok: true,
      verified: { bundle: { Licenses: [{ Name: 'rbac', HardExpireDate: '2031-01-01T00:00:00Z' }] } },
    });
  });

  test('is told from our own form even when its signature starts with a brace', () => {
    const texts = Array.from({ length: 5_000 }, (_, i) => JSON.stringify({ ...bundle, Contact: String(i) }));
    const found = texts.find((message) => sign(null, Buffer.from(message), vendor.privateKey)[0] === 0x7b) ?? '';
    expect(sentence(nacl(found, vendor.privateKey))).toBe('accepted');
  });

  test('may be broken into lines', () => {
    const text = nacl(JSON.stringify(bundle), vendor.privateKey).replaceAll(/(.{40})/g, '$1\n');
    expect(sentence(text)).toBe('accepted');
  });

  test('signed by a stranger, or changed, is refused', () => {
    const refused = 'It was changed after it was signed, or signed with a key that is not trusted here';
    expect(sentence(nacl(JSON.stringify(bundle), stranger.privateKey))).toBe(refused);
    const bytes = Buffer.from(nacl(JSON.stringify(bundle), vendor.privateKey), 'base64');
    bytes[bytes.length - 3] = (bytes[bytes.length - 3] ?? 0) ^ 1;
    expect(sentence(bytes.toString('base64'))).toBe(refused);
  });

  test('that holds something else is refused although the signature is right', () => {
    expect(sentence(nacl('just text', vendor.privateKey))).toContain('no license bundle');
    expect(sentence(nacl('{unclosed: [', vendor.privateKey))).toContain('cannot be read');
  });
});

test.each([
  ['', 'It is empty'],
  ['  \n', 'It is empty'],
  ['{', 'It is not valid JSON'],
  ['{}', 'It is JSON, but not of a license: bundle, signature and keyId are needed'],
  ['{"bundle":1,"signature":2,"keyId":3}', 'It is JSON, but not of a license'],
  ['hello world!', 'It is neither JSON nor base64'],
  ['AAAA', 'It is too short to be a license'],
])('the text %j is refused with a sentence', (text, expected) => {
  expect(sentence(text)).toContain(expected);
});

describe('a public key', () => {
  test('is read from PEM and from base64 of its bytes', () => {
    const raw = Buffer.from(vendor.publicKey.export({ format: 'jwk' }).x ?? '', 'base64url').toString('base64');
    const pem = vendor.publicKey.export({ type: 'spki', format: 'pem' }).toString();
    for (const text of [raw, pem, ` ${raw}\n`]) {
      const read = readPublicKey(text);
      expect(read && keyId(read)).toBe(keyId(vendor.publicKey));
    }
    expect(readPublicKey(RACKN_PUBLIC_KEY)?.asymmetricKeyType).toBe('ed25519');
  });

  test.each(['', 'AAAA', '-----BEGIN nonsense', `${'A'.repeat(50)}=`])('is not %j', (text) => {
    expect(readPublicKey(text)).toBeUndefined();
  });

  test('of another kind is refused', () => {
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    expect(readPublicKey(publicKey.export({ type: 'spki', format: 'pem' }).toString())).toBeUndefined();
  });

  test('goes by the same short name as its private half', () => {
    expect(keyId(createPublicKey(vendor.privateKey))).toBe(keyId(vendor.publicKey));
  });
});
