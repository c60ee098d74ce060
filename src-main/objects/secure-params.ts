/**
 * Secure params (wire-format.md 9.3): NaCl `crypto_box` envelopes, one key pair per object. The pair lives in records of its
 * own (prefix `secure-keys`), outside the object, is made on demand and goes with the object.
 */
import { createPrivateKey, createPublicKey, diffieHellman, generateKeyPairSync, randomBytes } from 'node:crypto';
import { hsalsa, xsalsa20poly1305 } from '@noble/ciphers/salsa.js';
import { isJsonObject, type Json, type JsonObject } from '../kit/json.ts';

interface Envelope {
  readonly Key: string;
  readonly Nonce: string;
  readonly Payload: string;
}

export interface KeyPair {
  /** 32 bytes each, base64. */
  readonly publicKey: string;
  readonly privateKey: string;
}

const SPKI_PREFIX = Buffer.from('302a300506032b656e032100', 'hex');
const PKCS8_PREFIX = Buffer.from('302e020100300506032b656e04220420', 'hex');

export function newKeyPair(): KeyPair {
  const { publicKey, privateKey } = generateKeyPairSync('x25519');
  return {
    publicKey: publicKey.export({ type: 'spki', format: 'der' }).subarray(-32).toString('base64'),
    privateKey: privateKey.export({ type: 'pkcs8', format: 'der' }).subarray(-32).toString('base64'),
  };
}

/** True for an object with the three fields of an envelope, of the right kinds. */
export function isEnvelope(value: Json): value is JsonObject & Envelope {
  if (!isJsonObject(value)) return false;
  return ['Key', 'Nonce', 'Payload'].every((name) => typeof value[name] === 'string');
}

/** What is wrong with an envelope from outside; undefined when its parts have the right sizes. */
export function envelopeProblem(envelope: Envelope): string | undefined {
  if (Buffer.from(envelope.Key, 'base64').length !== 32) return 'Key must be 32 bytes long';
  if (Buffer.from(envelope.Nonce, 'base64').length !== 24) return 'Nonce must be 24 bytes long';
  if (Buffer.from(envelope.Payload, 'base64').length < 16) return 'SecureData corrupted';
  return undefined;
}

/** The shared key of crypto_box: HSalsa20 over the X25519 secret. */
function boxKey(privateKey: Buffer, publicKey: Buffer): Uint8Array {
  const shared = diffieHellman({
    privateKey: createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, privateKey]), format: 'der', type: 'pkcs8' }),
    publicKey: createPublicKey({ key: Buffer.concat([SPKI_PREFIX, publicKey]), format: 'der', type: 'spki' }),
  });
  const words = (bytes: Uint8Array): Uint32Array => {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return Uint32Array.from({ length: bytes.byteLength / 4 }, (_, i) => view.getUint32(i * 4, true));
  };
  const out = new Uint32Array(8);
  hsalsa(words(Buffer.from('expand 32-byte k')), words(new Uint8Array(shared)), new Uint32Array(4), out);
  const key = new Uint8Array(32);
  const view = new DataView(key.buffer);
  for (const [i, word] of out.entries()) view.setUint32(i * 4, word, true);
  return key;
}

/** Seals a value for the holder of `publicKey`, with a fresh ephemeral pair. */
export function seal(value: Json, publicKey: string): Envelope {
  const ephemeral = newKeyPair();
  const nonce = randomBytes(24);
  const key = boxKey(Buffer.from(ephemeral.privateKey, 'base64'), Buffer.from(publicKey, 'base64'));
  const payload = xsalsa20poly1305(key, nonce).encrypt(Buffer.from(JSON.stringify(value)));
  return {
    Key: ephemeral.publicKey,
    Nonce: nonce.toString('base64'),
    Payload: Buffer.from(payload).toString('base64'),
  };
}

type Opened = { readonly ok: true; readonly value: Json } | { readonly ok: false; readonly reason: string };

/** Opens an envelope with the private key of the object that holds it. */
export function open(envelope: Envelope, privateKey: string): Opened {
  const problem = envelopeProblem(envelope);
  if (problem) return { ok: false, reason: problem };
  try {
    const key = boxKey(Buffer.from(privateKey, 'base64'), Buffer.from(envelope.Key, 'base64'));
    const clear = xsalsa20poly1305(key, Buffer.from(envelope.Nonce, 'base64')).decrypt(
      Buffer.from(envelope.Payload, 'base64'),
    );
    return { ok: true, value: JSON.parse(Buffer.from(clear).toString('utf8')) as Json };
  } catch {
    return { ok: false, reason: 'SecureData corrupted' };
  }
}
