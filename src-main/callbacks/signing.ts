/** Signed callbacks in the headers of Standard Webhooks 1.0: symmetric `v1` signatures, several for rotation. */
import { createHmac } from 'node:crypto';

const PREFIX = 'whsec_';

type SecretReading = { readonly ok: true; readonly key: Buffer } | { readonly ok: false; readonly reason: string };

/** `whsec_` and the base64 of 24 to 64 bytes. */
export function readSigningSecret(text: string): SecretReading {
  if (!text.startsWith(PREFIX)) return { ok: false, reason: `must start with ${PREFIX}` };
  const body = text.slice(PREFIX.length);
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(body)) return { ok: false, reason: `must be base64 after ${PREFIX}` };
  const key = Buffer.from(body, 'base64');
  if (key.length < 24 || key.length > 64)
    return { ok: false, reason: `must hold 24 to 64 bytes, it holds ${key.length}` };
  return { ok: true, key };
}

/**
 * The three headers for one request. `timestamp` in seconds since 1970, of this attempt: receivers refuse old ones.
 * Secrets that cannot be read are left out; validation has named them.
 */
export function signatureHeaders(
  secrets: readonly string[],
  id: string,
  timestamp: number,
  body: string,
): [string, string][] {
  const signatures = secrets.flatMap((secret) => {
    const reading = readSigningSecret(secret);
    if (!reading.ok) return [];
    return [`v1,${createHmac('sha256', reading.key).update(`${id}.${timestamp}.${body}`).digest('base64')}`];
  });
  return [
    ['webhook-id', id],
    ['webhook-timestamp', String(timestamp)],
    ['webhook-signature', signatures.join(' ')],
  ];
}
