/** Where callbacks may go: pure rules over a host name and the address it resolved to. */
import { BlockList, isIP } from 'node:net';

export interface EgressRule {
  /** As configured; a refusal names it. */
  readonly text: string;
  readonly matches: (host: string, address: string | undefined) => boolean;
}

export interface EgressRules {
  /** Empty: everything that is not denied is allowed. */
  readonly allow: readonly EgressRule[];
  readonly deny: readonly EgressRule[];
}

type Verdict = { readonly allowed: true } | { readonly allowed: false; readonly reason: string };

const HOST = /^(\*\.)?[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*\.?$/i;

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** Lower case, without brackets and without the root's dot. */
export function bareHost(host: string): string {
  return host
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
}

/** IPv6 addresses that stand for an IPv4 one: mapped, and behind a NAT64 gateway (RFC 6052). */
const V4_WITHIN = /^(?:::ffff:|64:ff9b::)(?:([0-9a-f]{1,4}):)?([0-9a-f]{1,4})$/;

/** The address itself and the others that a connection to it reaches. */
function reachedBy(address: string): string[] {
  const reached = [address];
  if (isIP(address) === 6) {
    const shortest = new URL(`http://[${address.replace(/%.*$/, '')}]`).hostname.slice(1, -1);
    const [found, high = '0', low = '0'] = V4_WITHIN.exec(shortest) ?? [];
    const bytes = [high, low].map((group) => Number.parseInt(group, 16)).flatMap((group) => [group >> 8, group & 255]);
    if (found !== undefined) reached.push(bytes.join('.'));
    // Nobody's address: a connection to it ends at the machine itself.
    if (shortest === '::') reached.push('::1', '127.0.0.1');
  }
  if (reached.includes('0.0.0.0')) reached.push('127.0.0.1');
  return reached;
}

function networkRule(text: string, network: string, prefix: number | undefined): EgressRule {
  const list = new BlockList();
  if (prefix === undefined) list.addAddress(network, familyOf(network));
  else list.addSubnet(network, prefix, familyOf(network));
  const contains = (address: string): boolean =>
    isIP(address) !== 0 && reachedBy(address).some((reached) => list.check(reached, familyOf(reached)));
  return { text, matches: (host, address) => contains(address ?? host) };
}

/** Reads `10.0.0.0/8`, `fd00::/8`, `192.0.2.7`, `hooks.example.com`, `*.example.com`, `*`; undefined for anything else. */
export function parseRule(text: string): EgressRule | undefined {
  const wanted = bareHost(text.trim());
  if (wanted === '*') return { text, matches: () => true };
  const [network = '', bits, extra] = wanted.split('/');
  if (isIP(network) !== 0) {
    if (bits === undefined) return networkRule(text, network, undefined);
    if (extra !== undefined || !/^\d{1,3}$/.test(bits) || Number(bits) > (isIP(network) === 6 ? 128 : 32))
      return undefined;
    return networkRule(text, network, Number(bits));
  }
  // All digits and dots is a mistyped address, not a name.
  if (!HOST.test(wanted) || /^[\d.]+$/.test(wanted)) return undefined;
  if (wanted.startsWith('*.')) return { text, matches: (host) => host.endsWith(wanted.slice(1)) };
  return { text, matches: (host) => host === wanted };
}

/**
 * Judges one address of a host. Deny wins over allow. `address` undefined: not resolved (yet), then network rules match
 * only a host that is itself an address.
 */
export function judge(rules: EgressRules, hostname: string, address: string | undefined): Verdict {
  const host = bareHost(hostname);
  const target = address === undefined || address === host ? host : `${host} (${address})`;
  const denied = rules.deny.find((rule) => rule.matches(host, address));
  if (denied)
    return { allowed: false, reason: `callback/delivery Egress Deny rule "${denied.text}" refuses ${target}` };
  if (rules.allow.length === 0 || rules.allow.some((rule) => rule.matches(host, address))) return { allowed: true };
  const names = rules.allow.map((rule) => `"${rule.text}"`).join(', ');
  return { allowed: false, reason: `no callback/delivery Egress Allow rule (${names}) covers ${target}` };
}
