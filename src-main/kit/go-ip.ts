/** IP addresses as the byte slices of Go's net.IP, and as it prints them. */
import { addressKey } from './ip-address.ts';

/** The 16 bytes of net.ParseIP, an IPv4 address in its mapped form; undefined when the text is no address. */
export function parseIp(text: string): Uint8Array | undefined {
  const pairs = addressKey(text)?.match(/../g);
  return pairs ? Uint8Array.from(pairs, (pair) => Number.parseInt(pair, 16)) : undefined;
}

/** Lower-case hexadecimal digits of the bytes. */
export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

const isV4 = (bytes: Uint8Array): boolean => bytes.subarray(0, 12).every((byte, i) => byte === (i < 10 ? 0 : 0xff));

/** net.IP.String: dotted for IPv4, the longest run of zero groups shortened otherwise, `<nil>` for no address. */
export function ipText(bytes: Uint8Array): string {
  if (bytes.length === 0) return '<nil>';
  if (bytes.length === 4) return bytes.join('.');
  if (bytes.length !== 16) return `?${toHex(bytes)}`;
  if (isV4(bytes)) return bytes.subarray(12).join('.');
  const groups = Array.from({ length: 8 }, (_, i) => ((bytes[i * 2] ?? 0) << 8) | (bytes[i * 2 + 1] ?? 0));
  const { start, length } = longestZeroRun(groups);
  const hex = (part: readonly number[]): string => part.map((group) => group.toString(16)).join(':');
  return length < 2 ? hex(groups) : `${hex(groups.slice(0, start))}::${hex(groups.slice(start + length))}`;
}

function longestZeroRun(groups: readonly number[]): { readonly start: number; readonly length: number } {
  let best = { start: 0, length: 0 };
  for (let start = 0; start < groups.length; start++) {
    let length = 0;
    while (groups[start + length] === 0) length++;
    if (length > best.length) best = { start, length };
  }
  return best;
}
