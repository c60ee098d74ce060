/** Integer literals as Go's strconv reads them with base 0. */

const INTEGER = /^0[xX][0-9a-fA-F]+$|^0[oO][0-7]+$|^0[bB][01]+$|^(?:0|[1-9]\d*)$/;
const OLD_OCTAL = /^0[0-7]+$/;
/** `0b` and 64 digits. What is longer without its leading zeros is beyond 64 bits, and dear to convert. */
const LONGEST = 66;
const MAX_UINT64 = 2n ** 64n - 1n;

/** strconv.ParseUint of a text without underscores; undefined when it is no integer or beyond 64 bits. */
export function parseMagnitude(text: string): bigint | undefined {
  const digits = text.replace(/^(0[xXoObB]?)0*(?=[0-9a-fA-F])/, '$1');
  if (digits.length > LONGEST) return undefined;
  let value: bigint;
  if (INTEGER.test(digits)) value = BigInt(digits.toLowerCase());
  else if (OLD_OCTAL.test(digits)) value = BigInt(`0o${digits.slice(1)}`);
  else return undefined;
  return value <= MAX_UINT64 ? value : undefined;
}
