/**
 * Password hashes and random secrets (wire-format.md 4.13).
 *
 * Stored form: base64 of the text `N$r$p$salt$hash`, the work parameters first. We write salt and hash in hex. What
 * others wrote is read in hex or, where the text cannot be hex, in base64; a text that could be either is hex.
 * scrypt runs on the thread pool, at most two at a time: the pool also serves files and name look-ups.
 */
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { randomText } from '../kit/ids.ts';

/** Work parameters of scrypt: memory is 128·N·r bytes, time grows with N·r·p. */
export interface ScryptCost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

/** About 50 to 100 ms and 32 MB on a small server. Hashes of other cost are replaced at the next sign-in. */
export const DEFAULT_COST: ScryptCost = { N: 32_768, r: 8, p: 1 };

const SALT_BYTES = 16;
const HASH_BYTES = 32;
/** A stored hash may ask for more than ours, but not for so much that one sign-in takes the machine down. */
const MOST_MEMORY = 256 * 1024 * 1024;
const MOST_WORK = 2 ** 25;
const AT_ONCE = 2;

interface StoredHash {
  readonly cost: ScryptCost;
  readonly salt: Buffer;
  readonly hash: Buffer;
}

let running = 0;
const waiting: (() => void)[] = [];

async function turn(): Promise<void> {
  if (running < AT_ONCE) {
    running++;
    return;
  }
  await new Promise<void>((resolve) => waiting.push(resolve));
}

function done(): void {
  const next = waiting.shift();
  if (next) next();
  else running--;
}

async function derive(password: string, salt: Buffer, length: number, cost: ScryptCost): Promise<Buffer> {
  await turn();
  try {
    return await new Promise<Buffer>((resolve, reject) => {
      scrypt(password, salt, length, { ...cost, maxmem: MOST_MEMORY + 2 ** 20 }, (error, key) => {
        if (error) reject(error);
        else resolve(key);
      });
    });
  } finally {
    done();
  }
}

function bytes(text: string): Buffer | undefined {
  if (text === '') return undefined;
  if (text.length % 2 === 0 && /^[0-9a-fA-F]+$/.test(text)) return Buffer.from(text, 'hex');
  return /^[A-Za-z0-9+/_-]+={0,2}$/.test(text) ? Buffer.from(text, 'base64') : undefined;
}

function whole(text: string): number {
  return /^[1-9][0-9]{0,9}$/.test(text) ? Number(text) : 0;
}

function readStored(stored: string): StoredHash | undefined {
  const parts = Buffer.from(stored, 'base64').toString('latin1').split('$');
  const [n, r, p, saltText, hashText] = parts;
  if (parts.length !== 5 || n === undefined || r === undefined || p === undefined) return undefined;
  const cost = { N: whole(n), r: whole(r), p: whole(p) };
  const isPower = cost.N > 1 && Number.isInteger(Math.log2(cost.N));
  if (!isPower || cost.r === 0 || cost.p === 0) return undefined;
  if (128 * cost.N * cost.r > MOST_MEMORY || cost.N * cost.r * cost.p > MOST_WORK) return undefined;
  const salt = bytes(saltText ?? '');
  const hash = bytes(hashText ?? '');
  if (!salt || !hash || hash.length < 16 || hash.length > 128 || salt.length > 128) return undefined;
  return { cost, salt, hash };
}

function writeStored({ cost, salt, hash }: StoredHash): string {
  const text = [cost.N, cost.r, cost.p, salt.toString('hex'), hash.toString('hex')].join('$');
  return Buffer.from(text, 'latin1').toString('base64');
}

/** True when the text is a password hash that can be checked; anything else refuses every password. */
export function isPasswordHash(stored: string): boolean {
  return readStored(stored) !== undefined;
}

/**
 * True for a text that can be told from others as a password: scrypt takes a text and the same text followed by NUL characters for one,
 * so no password has any.
 */
export function isPassword(text: string): boolean {
  return text !== '' && !text.includes('\0');
}

/** Hash of a password in the stored form, with a fresh salt. Takes about as long as `cost` says. */
export async function hashPassword(password: string, cost: ScryptCost = DEFAULT_COST): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  return writeStored({ cost, salt, hash: await derive(password, salt, HASH_BYTES, cost) });
}

/** Verdict on a password. `upgrade`: right, but the stored hash has other work parameters than today's. */
interface PasswordVerdict {
  readonly ok: boolean;
  readonly upgrade: boolean;
}

const workOf = ({ N, r, p }: ScryptCost): number => N * r * p;

/** A wrong password for a hash cheaper than ours takes as long as one for a user that does not exist. */
async function makeUp(spent: ScryptCost, { N, r, p }: ScryptCost): Promise<void> {
  const left = workOf({ N, r, p }) - workOf(spent);
  const power = Math.floor(Math.log2(left / (r * p)));
  if (left > 0 && power > 0) await derive('', Buffer.alloc(SALT_BYTES), HASH_BYTES, { N: 2 ** power, r, p });
}

/**
 * Checks a password against the stored hash in constant time. Without a usable hash (unknown user, none set), and for a text that is
 * no password, the same work is done and the answer is no, so that the time taken does not tell whether a user exists.
 */
export async function verifyPassword(
  password: string,
  stored: string | undefined,
  cost: ScryptCost = DEFAULT_COST,
): Promise<PasswordVerdict> {
  const known = stored === undefined ? undefined : readStored(stored);
  const checked = known ?? { cost, salt: Buffer.alloc(SALT_BYTES), hash: Buffer.alloc(HASH_BYTES) };
  const derived = await derive(password, checked.salt, checked.hash.length, checked.cost);
  const ok = timingSafeEqual(derived, checked.hash) && known !== undefined && !password.includes('\0');
  if (!ok) await makeUp(checked.cost, cost);
  const same = checked.cost.N === cost.N && checked.cost.r === cost.r && checked.cost.p === cost.p;
  return { ok, upgrade: ok && !same };
}

/** Random text of 16 characters: the Secret of a user or a machine. */
export function newSecret(): string {
  return randomText(16);
}
