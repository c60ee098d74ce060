import { StoreError } from './errors.ts';

/**
 * Ascending order of the UTF-8 bytes, which is the order of code points. JavaScript's own `<` compares UTF-16 units
 * and would put U+1F600 (surrogates, 0xD83D...) before U+FF5E; a list must not depend on who sorted it.
 */
export function compareKeys(a: string, b: string): number {
  if (a === b) return 0;
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) {
    const left = a.charCodeAt(i);
    const right = b.charCodeAt(i);
    if (left === right) continue;
    // Surrogates stand for code points above all other units.
    const leftHigh = left >= 0xd800 && left <= 0xdfff;
    const rightHigh = right >= 0xd800 && right <= 0xdfff;
    if (leftHigh !== rightHigh) return leftHigh ? 1 : -1;
    return left - right;
  }
  return a.length - b.length;
}

const MAX_NAME_LENGTH = 4096;

/** Throws `StoreError` `validation` unless `name` survives UTF-8 and is 1 to 4,096 characters long. */
export function checkName(kind: 'prefix' | 'key', name: string): void {
  if (typeof name !== 'string' || name.length === 0)
    throw new StoreError('validation', `The ${kind} of an object must be a string that is not empty.`);
  if (name.length > MAX_NAME_LENGTH)
    throw new StoreError(
      'validation',
      `The ${kind} "${name.slice(0, 40)}..." has ${name.length} characters; at most ${MAX_NAME_LENGTH} are allowed.`,
    );
  if (!name.isWellFormed())
    throw new StoreError(
      'validation',
      `The ${kind} ${JSON.stringify(name.slice(0, 80))} contains half of a surrogate pair, which is not valid Unicode.`,
    );
}
