/**
 * The license part of a data directory. It may be changed by the command line while the service runs, so every file is
 * replaced as a whole: written beside, flushed, renamed.
 *
 *   DIR/license/license.json    the installed license, as it was signed
 *   DIR/license/lab.key         private lab key, for the owner alone (0600)     lab.pub  its public half
 *   DIR/license/vendors/*.pub   public keys of vendors trusted here, PEM or base64; the file name is the signer's name
 *   DIR/license/clock.json      the highest time seen
 */
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RACKN_PUBLIC_KEY, readPublicKey, type TrustedKey } from './signed.ts';

/** Something about a license that the person at the command line must put right. */
export class LicenseError extends Error {
  readonly hint: string;

  constructor(message: string, hint: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'LicenseError';
    this.hint = hint;
  }
}

export const LAB_SIGNER = 'lab license';
const VENDOR_SUFFIX = '.pub';

export interface LicenseFiles {
  readonly dir: string;
  readonly license: string;
  readonly labKey: string;
  readonly labPublicKey: string;
  readonly vendors: string;
  readonly clock: string;
}

/** `dataDirectory` is the data directory of the service. Touches nothing. */
export function licenseFiles(dataDirectory: string): LicenseFiles {
  const dir = join(dataDirectory, 'license');
  return {
    dir,
    license: join(dir, 'license.json'),
    labKey: join(dir, 'lab.key'),
    labPublicKey: join(dir, 'lab.pub'),
    vendors: join(dir, 'vendors'),
    clock: join(dir, 'clock.json'),
  };
}

function isMissing(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code;
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/** Text of a file; undefined when it does not exist. */
export function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Equal as long as the file is the same one, unchanged. */
export function fileMark(file: string): string {
  try {
    const { ino, size, mtimeMs } = statSync(file);
    return `${ino} ${size} ${mtimeMs}`;
  } catch (error) {
    return isMissing(error) ? 'missing' : String((error as NodeJS.ErrnoException).code);
  }
}

/** Replaces a file as a whole; whoever reads at the same time sees the old or the new text. */
export function replaceFile(file: string, text: string, mode: number): void {
  const temporary = `${file}.${process.pid}.new`;
  try {
    writeFileSync(temporary, text, { mode, flush: true });
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Keys trusted by this directory: its own lab key, the vendors configured, and the vendor of existing clients. */
export function trustedKeys(files: LicenseFiles): readonly TrustedKey[] {
  const keys: TrustedKey[] = [];
  const lab = readPublicKey(readIfThere(files.labPublicKey) ?? '');
  if (lab) keys.push({ signer: LAB_SIGNER, lab: true, key: lab });
  const vendors = existsSync(files.vendors) ? readdirSync(files.vendors).sort() : [];
  for (const name of vendors) {
    if (!name.endsWith(VENDOR_SUFFIX)) continue;
    const key = readPublicKey(readIfThere(join(files.vendors, name)) ?? '');
    if (key) keys.push({ signer: name.slice(0, -VENDOR_SUFFIX.length), lab: false, key });
  }
  const rackn = readPublicKey(RACKN_PUBLIC_KEY);
  if (rackn) keys.push({ signer: 'rackn', lab: false, key: rackn });
  return keys;
}

/** Writes a new key unless another process was faster; the one in the file counts. */
function makeLabKey(files: LicenseFiles): string {
  const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  try {
    writeFileSync(files.labKey, pem, { mode: 0o600, flag: 'wx', flush: true });
    return pem;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return readFileSync(files.labKey, 'utf8');
  }
}

/** The lab key of the directory, made at first use. Throws LicenseError when the stored one cannot be read. */
export function labKey(files: LicenseFiles): KeyObject {
  mkdirSync(files.dir, { recursive: true });
  const stored = readIfThere(files.labKey) ?? makeLabKey(files);
  try {
    const key = createPrivateKey(stored);
    const published = createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString();
    if (readIfThere(files.labPublicKey) !== published) replaceFile(files.labPublicKey, published, 0o644);
    return key;
  } catch (error) {
    throw new LicenseError(
      `${files.labKey} cannot be used.`,
      'Remove lab.key and lab.pub and issue the lab license again.',
      error,
    );
  }
}
