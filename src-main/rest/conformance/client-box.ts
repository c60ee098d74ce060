/**
 * Seals a value as a client does: NaCl crypto_box with an ephemeral key. Written from the definition of crypto_box, apart from the
 * product's own code, so that one does not merely agree with itself.
 */
import { createPublicKey, diffieHellman, generateKeyPairSync, randomBytes } from 'node:crypto';
import { hsalsa, xsalsa20poly1305 } from '@noble/ciphers/salsa.js';
import type { Json, JsonObject } from '../../kit/json.ts';

const SIGMA = new Uint32Array([0x61707865, 0x3320646e, 0x79622d32, 0x6b206574]);

export function clientSeal(value: Json, publicKey: string): JsonObject {
  const own = generateKeyPairSync('x25519');
  const theirs = createPublicKey({
    key: { kty: 'OKP', crv: 'X25519', x: Buffer.from(publicKey, 'base64').toString('base64url') },
    format: 'jwk',
  });
  const shared = diffieHellman({ privateKey: own.privateKey, publicKey: theirs });
  const key = new Uint32Array(8);
  hsalsa(SIGMA, new Uint32Array(new Uint8Array(shared).buffer), new Uint32Array(4), key);
  const nonce = randomBytes(24);
  const sealed = xsalsa20poly1305(new Uint8Array(key.buffer), nonce).encrypt(Buffer.from(JSON.stringify(value)));
  const { x } = own.publicKey.export({ format: 'jwk' });
  return {
    Key: Buffer.from(x ?? '', 'base64url').toString('base64'),
    Nonce: nonce.toString('base64'),
    Payload: Buffer.from(sealed).toString('base64'),
  };
}
