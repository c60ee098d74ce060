/**
 * The listener's certificate: self-signed, made at first start, kept in `tls/`, replaceable by files of the same names. The
 * desktop window pins it by fingerprint.
 */
import 'reflect-metadata';
import { createHash, createPrivateKey, randomBytes, webcrypto, X509Certificate } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import * as x509 from '@peculiar/x509';
import { StartError } from './errors.ts';

export interface Certificate {
  readonly key: string;
  readonly cert: string;
  /** SHA-256 of the DER form, base64: what the window pins. */
  readonly fingerprint: string;
}

const YEARS = 10;
const DAY_MS = 86_400_000;

function fingerprintOf(cert: string): string {
  return createHash('sha256').update(new X509Certificate(cert).raw).digest('base64');
}

async function makeCertificate(address: string, now: number): Promise<{ key: string; cert: string }> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const ips = new Set(['127.0.0.1', '::1', ...(isIP(address) ? [address] : [])]);
  const made = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: randomBytes(16).toString('hex'),
    name: 'CN=Proviso',
    notBefore: new Date(now - DAY_MS),
    notAfter: new Date(now + YEARS * 365 * DAY_MS),
    signingAlgorithm: algorithm,
    keys: keys as CryptoKeyPair,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension([
        ...[...ips].map((value) => ({ type: 'ip' as const, value })),
        { type: 'dns', value: 'localhost' },
        { type: 'dns', value: hostname() },
      ]),
    ],
  });
  const pkcs8 = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', (keys as CryptoKeyPair).privateKey));
  const key = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' }).export({ type: 'pkcs8', format: 'pem' });
  return { key: key.toString(), cert: made.toString('pem') };
}

/**
 * Makes the pair. Killed between the two names, the next start finds the second file finished under its first name; half a
 * pair without it is somebody's own, which nobody else may replace.
 */
async function makePair(keyFile: string, certFile: string, address: string, now: number): Promise<void> {
  if (!existsSync(keyFile)) {
    const made = await makeCertificate(address, now);
    writeFileSync(`${certFile}.new`, made.cert, { mode: 0o600, flush: true });
    writeFileSync(`${keyFile}.new`, made.key, { mode: 0o600, flush: true });
    renameSync(`${keyFile}.new`, keyFile);
  }
  if (existsSync(`${certFile}.new`)) renameSync(`${certFile}.new`, certFile);
}

/**
 * Reads `server.key` and `server.crt` of `dir`, or makes them where neither is. Throws StartError when what is there does not
 * fit together.
 */
export async function loadCertificate(dir: string, address: string, now: number): Promise<Certificate> {
  const keyFile = join(dir, 'server.key');
  const certFile = join(dir, 'server.crt');
  if (!existsSync(certFile)) await makePair(keyFile, certFile, address, now);
  try {
    const key = readFileSync(keyFile, 'utf8');
    const cert = readFileSync(certFile, 'utf8');
    if (!new X509Certificate(cert).checkPrivateKey(createPrivateKey(key)))
      throw new Error('key and certificate do not belong together');
    return { key, cert, fingerprint: fingerprintOf(cert) };
  } catch (error) {
    const missing = [keyFile, certFile].filter((file) => !existsSync(file));
    if (missing.length === 1)
      throw new StartError(
        `${missing[0]} is missing, its other half is there.`,
        'Put the missing file back, or remove the other one as well to have a new pair made.',
        error,
      );
    throw new StartError(
      `The certificate in ${dir} cannot be used: ${error instanceof Error ? error.message : String(error)}.`,
      'Replace server.key and server.crt by a matching pair, or remove both to have new ones made.',
      error,
    );
  }
}
