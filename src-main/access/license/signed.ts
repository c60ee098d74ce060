/**
 * Signed licenses, in two forms, both Ed25519:
 *
 *   ours   JSON {bundle, signature, keyId}; signed is the bundle as JSON with sorted members and no white space, after a
 *          line that keeps the signature from being used for anything else. Reformatting the file does not break it.
 *   NaCl   base64 of signature (64 bytes) + YAML or JSON text of the bundle, as vendors of this API ship it
 *          (wire-format.md 10.4)
 */
import { createHash, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { parse as parseYaml } from 'yaml';
import type { Json, JsonObject } from '../../kit/json.ts';
import { type LicenseBundle, readBundle } from './bundle.ts';

/** A key whose licenses are believed. */
export interface TrustedKey {
  /** Who it belongs to, for people; `lab license` for the directory's own. */
  readonly signer: string;
  /** True for the key this data directory made itself. */
  readonly lab: boolean;
  readonly key: KeyObject;
}

/** A bundle and whose signature it carries. */
export interface VerifiedBundle {
  readonly bundle: LicenseBundle;
  readonly signer: string;
  readonly lab: boolean;
  readonly keyId: string;
}

export type Verification =
  | { readonly ok: true; readonly verified: VerifiedBundle }
  /** One sentence: what is wrong with it. */
  | { readonly ok: false; readonly sentence: string };

const PURPOSE = 'proviso license bundle v1\n';
const NACL_SIGNATURE = 64;

/** Public key that signs the license packs of the vendor of existing clients (wire-format.md 10.4). */
export const RACKN_PUBLIC_KEY = 'iTeYR10TfD+dHBCl/+2u2T6WfVoGzLIyOk5850jQqQM=';

/** Reads a public key: PEM, or base64 of its 32 bytes. Undefined when it is neither or not Ed25519. */
export function readPublicKey(text: string): KeyObject | undefined {
  const trimmed = text.trim();
  try {
    if (trimmed.startsWith('-----BEGIN')) {
      const key = createPublicKey(trimmed);
      return key.asymmetricKeyType === 'ed25519' ? key : undefined;
    }
    const raw = Buffer.from(trimmed, 'base64');
    if (raw.length !== 32 || !/^[A-Za-z0-9+/_-]{43}=?$/.test(trimmed)) return undefined;
    return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: raw.toString('base64url') }, format: 'jwk' });
  } catch {
    return undefined;
  }
}

/** Short name of a public key: the first 16 hex digits of the SHA-256 of its bytes. */
export function keyId(key: KeyObject): string {
  const raw = Buffer.from(key.export({ format: 'jwk' }).x ?? '', 'base64url');
  return createHash('sha256').update(raw).digest('hex').slice(0, 16);
}

function sorted(value: Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, sorted(member)]));
}

function signedBytes(bundle: Json): Buffer {
  return Buffer.from(PURPOSE + JSON.stringify(sorted(bundle)));
}

/** Signs a bundle; the answer is the text of a license file. */
export function signBundle(bundle: JsonObject, privateKey: KeyObject): string {
  const signature = sign(null, signedBytes(bundle), privateKey).toString('base64');
  return `${JSON.stringify({ bundle, signature, keyId: keyId(createPublicKey(privateKey)) }, null, 2)}\n`;
}

function refused(sentence: string): Verification {
  return { ok: false, sentence };
}

function accepted(bundle: Json, { key, signer, lab }: TrustedKey): Verification {
  const read = readBundle(bundle);
  if (!read) return refused('The signature is right, but what is signed is no license bundle');
  return { ok: true, verified: { bundle: read, signer, lab, keyId: keyId(key) } };
}

function verifyOurs(value: JsonObject, trusted: readonly TrustedKey[]): Verification {
  const { bundle, signature, keyId: id } = value;
  if (bundle === undefined || typeof signature !== 'string' || typeof id !== 'string') {
    return refused('It is JSON, but not of a license: bundle, signature and keyId are needed');
  }
  const signer = trusted.find(({ key }) => keyId(key) === id);
  if (!signer) return refused(`It is signed with key ${id}, which this data directory does not trust`);
  const bytes = Buffer.from(signature, 'base64');
  if (!verify(null, signedBytes(bundle), signer.key, bytes)) return refused('It was changed after it was signed');
  return accepted(bundle, signer);
}

function verifyNacl(text: string, trusted: readonly TrustedKey[]): Verification {
  const bytes = Buffer.from(text, 'base64');
  const signature = bytes.subarray(0, NACL_SIGNATURE);
  const message = bytes.subarray(NACL_SIGNATURE);
  if (message.length === 0) return refused('It is too short to be a license');
  const signer = trusted.find(({ key }) => verify(null, message, key, signature));
  if (!signer) return refused('It was changed after it was signed, or signed with a key that is not trusted here');
  try {
    return accepted(parseYaml(message.toString('utf8')) as Json, signer);
  } catch {
    return refused('The signature is right, but what is signed cannot be read as YAML or JSON');
  }
}

function parseObject(text: string): { readonly value: JsonObject } | { readonly problem: string } {
  try {
    return { value: JSON.parse(text) as JsonObject };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

/** Checks the text of a license, in either form. */
export function verifyLicense(text: string, trusted: readonly TrustedKey[]): Verification {
  const trimmed = text.trim();
  if (trimmed === '') return refused('It is empty');
  if (trimmed.startsWith('{')) {
    const read = parseObject(trimmed);
    return 'value' in read ? verifyOurs(read.value, trusted) : refused(`It is not valid JSON: ${read.problem}`);
  }
  const packed = trimmed.replaceAll(/\s/g, '');
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(packed)) return refused('It is neither JSON nor base64');
  // Our own form may come packed in base64 too, since the param of a content layer is a text. Whether it does shows only
  // in reading it: the first byte of a signature may be a brace as well.
  const unpacked = Buffer.from(packed, 'base64').toString('utf8').trim();
  const read = unpacked.startsWith('{') ? parseObject(unpacked) : undefined;
  return read && 'value' in read ? verifyOurs(read.value, trusted) : verifyNacl(packed, trusted);
}
