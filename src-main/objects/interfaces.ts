/** Network interfaces of this host (wire-format.md 4.18, 12.4), without loopback. */
import { readFileSync } from 'node:fs';
import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os';
import type { JsonObject } from '../kit/json.ts';
import type { LiveSource } from './live.ts';

/** Asking the system for every read would be wasteful; addresses change rarely. */
const FRESH_MS = 2_000;

/** Number of an interface as the kernel counts it; 0 where the system does not tell. */
function indexOf(name: string, addresses: readonly NetworkInterfaceInfo[]): number {
  try {
    // Linux only; elsewhere link-local addresses carry the number as their scope.
    return Number(readFileSync(`/sys/class/net/${name}/ifindex`, 'utf8').trim()) || 0;
  } catch {
    return addresses.find((one) => one.family === 'IPv6' && one.scopeid > 0)?.scopeid ?? 0;
  }
}

function toObject(name: string, addresses: readonly NetworkInterfaceInfo[]): JsonObject {
  const cidrs = addresses.flatMap((one) => (one.cidr === null ? [] : [one.cidr]));
  const active = addresses.find((one) => one.family === 'IPv4' && !one.address.startsWith('169.254.'));
  return {
    Name: name,
    Index: indexOf(name, addresses),
    Addresses: cidrs,
    ActiveAddress: active?.cidr ?? '',
    ReadOnly: true,
  };
}

/** `measure` is what the system says; tests have their own. */
export function hostInterfaces(clock: () => number, measure: typeof networkInterfaces = networkInterfaces): LiveSource {
  let measured: { readonly at: number; readonly list: readonly JsonObject[] } | undefined;
  return () => {
    const now = clock();
    if (measured && Math.abs(now - measured.at) < FRESH_MS) return measured.list;
    const list = Object.entries(measure()).flatMap(([name, addresses]) =>
      !addresses || addresses.length === 0 || addresses.some((one) => one.internal) ? [] : [toObject(name, addresses)],
    );
    measured = { at: now, list };
    return list;
  };
}
