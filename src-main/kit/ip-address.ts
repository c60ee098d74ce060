/** IP addresses and networks as text, with Go's idea of what is valid and how it is printed. */

/** 16 bytes as 32 hex digits; an IPv4 address in its mapped form. Orders like the bytes. */
type AddressKey = string;

const V4_MAPPED = '00000000000000000000ffff';

/** An IPv4 address as an unsigned 32-bit number; undefined when the text is none. */
export function v4Number(text: string): number | undefined {
  let address = 0;
  let octets = 0;
  let at = 0;
  // Lists are sorted by addresses, so this is walked by hand: four numbers of one to three digits, dots between.
  while (octets < 4) {
    const from = at;
    let octet = 0;
    for (let code = text.charCodeAt(at); code >= 0x30 && code <= 0x39; code = text.charCodeAt(++at)) {
      octet = octet * 10 + code - 0x30;
      if (octet > 255) return undefined;
    }
    // A leading zero is refused: some readers take it for octal.
    if (at === from || (text.charCodeAt(from) === 0x30 && at - from > 1)) return undefined;
    address = address * 256 + octet;
    octets++;
    if (octets < 4 && text.charCodeAt(at++) !== 0x2e) return undefined;
  }
  return at === text.length ? address : undefined;
}

const hexWord = (address: number): string => address.toString(16).padStart(8, '0');

function v6Groups(text: string): readonly string[] | undefined {
  const tail = /^(.*:)([0-9.]+)$/.exec(text);
  let source = text;
  if (tail?.[2]?.includes('.')) {
    const address = v4Number(tail[2]);
    if (address === undefined) return undefined;
    const hex = hexWord(address);
    source = `${tail[1]}${hex.slice(0, 4)}:${hex.slice(4)}`;
  }
  const halves = source.split('::');
  if (halves.length > 2) return undefined;
  const groups = (half: string): string[] => (half === '' ? [] : half.split(':'));
  const head = groups(halves[0] ?? '');
  const rest = groups(halves[1] ?? '');
  const missing = 8 - head.length - rest.length;
  if (halves.length === 1 ? missing !== 0 : missing < 1) return undefined;
  const all = [...head, ...Array<string>(halves.length === 1 ? 0 : missing).fill('0'), ...rest];
  return all.every((group) => /^[0-9a-fA-F]{1,4}$/.test(group)) ? all : undefined;
}

/** Comparable form of an address; undefined when the text is none. */
export function addressKey(text: string): AddressKey | undefined {
  const address = v4Number(text);
  if (address !== undefined) return V4_MAPPED + hexWord(address);
  if (text.length > 45 || !text.includes(':')) return undefined;
  const groups = v6Groups(text);
  return groups?.map((group) => group.toLowerCase().padStart(4, '0')).join('');
}

/** Dotted form of an unsigned 32-bit number. */
export function v4Text(address: number): string {
  return [24, 16, 8, 0].map((shift) => (address >>> shift) & 255).join('.');
}

/** `10.0.0.255` -> `0A0000FF`, the key of reservations and leases; undefined when the text is no IPv4 address. */
export function v4Hex(text: string): string | undefined {
  const address = v4Number(text);
  return address === undefined ? undefined : hexWord(address).toUpperCase();
}

/** Not unspecified, loopback, link-local, multicast or broadcast: an address a machine can be given. */
export function isGlobalUnicast(text: string): boolean {
  const key = addressKey(text);
  if (key === undefined) return false;
  if (key.startsWith(V4_MAPPED)) {
    const address = Number.parseInt(key.slice(24), 16);
    const first = address >>> 24;
    const isMulticast = first >= 224 && first < 240;
    const isLinkLocal = address >>> 16 === 0xa9fe;
    return address !== 0 && address !== 0xffffffff && first !== 127 && !isMulticast && !isLinkLocal;
  }
  return !/^0{31}[01]$/.test(key) && !key.startsWith('ff') && !/^fe[89ab]/.test(key);
}

export interface Network {
  /** First address, as an unsigned 32-bit number. */
  readonly base: number;
  /** Last address. */
  readonly broadcast: number;
  readonly mask: number;
  readonly bits: number;
}

/** An IPv4 network in CIDR form; undefined when the text is none. The address may lie anywhere in the network. */
export function parseNetwork(text: string): Network | undefined {
  const slash = text.indexOf('/');
  if (slash < 0) return undefined;
  const address = v4Number(text.slice(0, slash));
  const suffix = text.slice(slash + 1);
  if (address === undefined || !/^(0|[1-9][0-9]?)$/.test(suffix) || Number(suffix) > 32) return undefined;
  const bits = Number(suffix);
  const mask = bits === 0 ? 0 : (0xffffffff << (32 - bits)) >>> 0;
  const base = (address & mask) >>> 0;
  return { base, broadcast: (base | (~mask >>> 0)) >>> 0, mask, bits };
}

/** True when the dotted address lies in the network. */
export function isInNetwork(network: Network, address: string): boolean {
  const number = v4Number(address);
  return number !== undefined && number >= network.base && number <= network.broadcast;
}

/** True for hardware addresses of 6, 8 or 20 bytes in colon, dash or dotted form. */
export function isHardwareAddress(text: string): boolean {
  const separator = text[2];
  if (separator === ':' || separator === '-') {
    const bytes = text.split(separator);
    return [6, 8, 20].includes(bytes.length) && bytes.every((byte) => /^[0-9a-fA-F]{2}$/.test(byte));
  }
  const words = text.split('.');
  return [3, 4, 10].includes(words.length) && words.every((word) => /^[0-9a-fA-F]{4}$/.test(word));
}
