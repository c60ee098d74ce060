/** IP addresses as Go's net.IP reads and prints them. */

/** The 16 bytes of net.ParseIP, an IPv4 address in its mapped form; undefined when the text is no address. */
export function parseIp(text: string): Uint8Array | undefined {
  const v4 = parseV4(text);
  if (v4 !== undefined) return Uint8Array.from([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, ...v4]);
  return text.includes(':') ? parseV6(text) : undefined;
}

/** The four bytes of an IPv4 address; leading zeros are refused, as Go does. */
function parseV4(text: string): readonly number[] | undefined {
  const parts = text.split('.');
  if (parts.length !== 4 || !parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255))
    return undefined;
  return parts.map(Number);
}

function parseV6(text: string): Uint8Array | undefined {
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const head = parseGroups(halves[0] ?? '', halves.length === 1);
  const tail = halves.length === 2 ? parseGroups(halves[1] ?? '', true) : [];
  if (head === undefined || tail === undefined) return undefined;
  const missing = 16 - head.length - tail.length;
  if (halves.length === 1 ? missing !== 0 : missing < 2) return undefined;
  return Uint8Array.from([...head, ...Array<number>(missing).fill(0), ...tail]);
}

/** Colon-separated groups as bytes; the last may be an IPv4 address. */
function parseGroups(text: string, mayEndInV4: boolean): readonly number[] | undefined {
  if (text === '') return [];
  const groups = text.split(':');
  const bytes: number[] = [];
  for (const [index, group] of groups.entries()) {
    const v4 = mayEndInV4 && index === groups.length - 1 ? parseV4(group) : undefined;
    if (v4 !== undefined) bytes.push(...v4);
    else if (/^[0-9a-fA-F]{1,4}$/.test(group))
      bytes.push(Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 0xff);
    else return undefined;
  }
  return bytes;
}

const isV4 = (bytes: Uint8Array): boolean => bytes.subarray(0, 12).every((byte, i) => byte === (i < 10 ? 0 : 0xff));

/** The last four bytes when the address is IPv4. */
export function ipv4Bytes(bytes: Uint8Array): Uint8Array | undefined {
  return bytes.length === 16 && isV4(bytes) ? bytes.subarray(12) : undefined;
}

/** net.IP.String: dotted for IPv4, the longest run of zero groups shortened otherwise, `<nil>` for no address. */
export function ipText(bytes: Uint8Array): string {
  if (bytes.length === 0) return '<nil>';
  const v4 = ipv4Bytes(bytes);
  if (v4 !== undefined) return v4.join('.');
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
