/** Go's url.Parse, as far as scheme, host and path go, with its error texts. */
import { quote } from '../kit/go-quote.ts';
import { fromBytes, toBytes } from '../kit/go-string.ts';
import { FunctionError } from './errors.ts';

interface UrlParts {
  readonly scheme: string;
  readonly host: string;
  readonly path: string;
}

/** Throws FunctionError: `parse "URL": reason`. */
export function parseGoUrl(raw: string): UrlParts {
  const [withoutFragment, fragment] = cut(raw, '#');
  const parts = reporting(withoutFragment, () => parseParts(withoutFragment));
  reporting(raw, () => decode(fragment, 'other'));
  return parts;
}

function reporting<T>(url: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (error instanceof FunctionError) throw new FunctionError(`parse ${quote(url)}: ${error.message}`);
    throw error;
  }
}

function cut(text: string, separator: string): readonly [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + separator.length)];
}

function parseParts(url: string): UrlParts {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused.
  if (/[\0-\x1f\x7f]/.test(url)) throw new FunctionError('net/url: invalid control character in URL');
  if (url === '*') return { scheme: '', host: '', path: '*' };
  if (url.startsWith(':')) throw new FunctionError('missing protocol scheme');
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(url)?.[1] ?? '';
  const [rest] = cut(scheme === '' ? url : url.slice(scheme.length + 1), '?');
  const lowered = scheme.toLowerCase();
  if (!rest.startsWith('/')) {
    // Without a slash after the scheme there is neither host nor path: mailto:a@b.c
    if (scheme !== '') return { scheme: lowered, host: '', path: '' };
    if (cut(rest, '/')[0].includes(':')) throw new FunctionError('first path segment in URL cannot contain colon');
  }
  if (!rest.startsWith('//') || (scheme === '' && rest.startsWith('///'))) {
    return { scheme: lowered, host: '', path: decode(rest, 'other') };
  }
  const slash = rest.indexOf('/', 2);
  const authority = rest.slice(2, slash < 0 ? undefined : slash);
  const host = parseAuthority(authority);
  return { scheme: lowered, host, path: slash < 0 ? '' : decode(rest.slice(slash), 'other') };
}

function parseAuthority(authority: string): string {
  const at = authority.lastIndexOf('@');
  const host = parseHost(authority.slice(at + 1));
  if (at < 0) return host;
  const user = authority.slice(0, at);
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(user)) throw new FunctionError('net/url: invalid userinfo');
  const [name, password] = cut(user, ':');
  decode(name, 'other');
  decode(password, 'other');
  return host;
}

function parseHost(host: string): string {
  if (!host.startsWith('[')) {
    const colon = host.lastIndexOf(':');
    if (colon >= 0) checkPort(host.slice(colon));
    return decode(host, 'host');
  }
  const close = host.lastIndexOf(']');
  if (close < 0) throw new FunctionError("missing ']' in host");
  checkPort(host.slice(close + 1));
  const zone = host.slice(0, close).indexOf('%25');
  if (zone < 0) return decode(host, 'host');
  return (
    decode(host.slice(0, zone), 'host') + decode(host.slice(zone, close), 'zone') + decode(host.slice(close), 'host')
  );
}

function checkPort(text: string): void {
  if (!/^(:[0-9]*)?$/.test(text)) throw new FunctionError(`invalid port ${quote(text)} after host`);
}

/** ASCII characters a host may hold unescaped. */
const HOST_CHARACTERS = /[A-Za-z0-9!$&'()*+,;=:[\]<>"\-_.~]/;

/** Percent-decoding; hosts may escape only bytes beyond ASCII, and %25 for a zone. */
function decode(text: string, part: 'host' | 'zone' | 'other'): string {
  const source = toBytes(text);
  const decoded: number[] = [];
  for (let i = 0; i < source.length; i++) {
    const byte = source[i] ?? 0;
    if (byte === 0x25) {
      const triplet = String.fromCharCode(...source.subarray(i, i + 3));
      const value = /^%[0-9a-fA-F]{2}$/.test(triplet) ? Number.parseInt(triplet.slice(1), 16) : undefined;
      if (value === undefined || !isAllowedEscape(triplet, value, part)) {
        throw new FunctionError(`invalid URL escape ${quote(fromBytes(source.subarray(i, i + 3)))}`);
      }
      decoded.push(value);
      i += 2;
    } else {
      const character = String.fromCharCode(byte);
      if (part !== 'other' && byte < 0x80 && !HOST_CHARACTERS.test(character)) {
        throw new FunctionError(`invalid character ${quote(character)} in host name`);
      }
      decoded.push(byte);
    }
  }
  return fromBytes(Uint8Array.from(decoded));
}

function isAllowedEscape(triplet: string, value: number, part: 'host' | 'zone' | 'other'): boolean {
  if (part === 'other' || triplet === '%25') return true;
  if (part === 'host') return value >= 0x80;
  return value === 0x20 || (value < 0x80 && HOST_CHARACTERS.test(String.fromCharCode(value)));
}
