/**
 * Making connections: resolves and judges the address before anything is sent to it, and measures the parts. The parts of
 * a new connection are handed to the first request on it: undici starts that request inside of the connect callback.
 */
import { lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction, Socket } from 'node:net';
import { createSecureContext, getCACertificates } from 'node:tls';
import { buildConnector } from 'undici';
import { bareHost, type EgressRules, judge } from '../egress.ts';

/** Refused before anything was sent. */
export class EgressRefused extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'EgressRefused';
  }
}

export interface ConnectTimes {
  readonly connectMs: number;
  readonly tlsMs: number;
}

/** Set while undici runs the callback of a new connection, empty otherwise. */
export interface ConnectNote {
  fresh: ConnectTimes | undefined;
}

export interface ConnectSettings {
  readonly timeoutMs: number;
  readonly ca: string;
  readonly insecure: boolean;
  readonly egress: EgressRules | undefined;
  readonly lookup: LookupFunction | undefined;
}

/** A resolver that leaves out refused addresses and fails when none is left. */
export function judgedLookup(egress: EgressRules, lookup: LookupFunction | undefined): LookupFunction {
  const resolve: LookupFunction = lookup ?? systemLookup;
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, '');
      const addresses = Array.isArray(found) ? found : [{ address: String(found), family: isIP(String(found)) }];
      let refusal = `${hostname} has no address`;
      const allowed = addresses.filter(({ address }) => {
        const verdict = judge(egress, hostname, address);
        if (!verdict.allowed) refusal = verdict.reason;
        return verdict.allowed;
      });
      const first = allowed[0];
      if (!first) return callback(new EgressRefused(refusal), '');
      if (options.all) callback(null, allowed);
      else callback(null, first.address, first.family);
    });
  };
}

/** Throws EgressRefused when the host itself is refused. Names are judged again with the address they resolve to. */
export function checkHost(egress: EgressRules | undefined, hostname: string): void {
  if (!egress) return;
  const host = bareHost(hostname);
  const isAddress = isIP(host) !== 0;
  // A name that only an allowed network can cover is decided after it was resolved.
  const rules = isAddress ? egress : { allow: [], deny: egress.deny };
  const verdict = judge(rules, host, isAddress ? host : undefined);
  if (!verdict.allowed) throw new EgressRefused(verdict.reason);
}

/** What TLS trusts. The extra authority comes on top of those of the system; the context is made once, not per connection. */
export function tlsOptions({ insecure, ca }: ConnectSettings): buildConnector.BuildOptions {
  return {
    rejectUnauthorized: !insecure,
    ...(ca !== '' && { secureContext: createSecureContext({ ca: [...getCACertificates('default'), ca] }) }),
  };
}

/** A connector for direct connections. */
export function directConnector(settings: ConnectSettings, note: ConnectNote): buildConnector.connector {
  const lookup = settings.egress ? judgedLookup(settings.egress, settings.lookup) : settings.lookup;
  const connect = buildConnector({
    ...tlsOptions(settings),
    timeout: settings.timeoutMs,
    allowH2: false,
    autoSelectFamily: true,
    ...(lookup && { lookup }),
  });
  return measured(connect, note);
}

/** Wraps a connector so that the times of each new connection are noted. */
export function measured(connect: buildConnector.connector, note: ConnectNote): buildConnector.connector {
  return (options, callback) => {
    const start = performance.now();
    let reached: number | undefined;
    const socket: unknown = connect(options, (...result) => {
      const end = performance.now();
      const [error] = result;
      if (!error) {
        const isTls = options.protocol === 'https:' && reached !== undefined;
        const connected = isTls ? (reached ?? end) : end;
        note.fresh = { connectMs: connected - start, tlsMs: end - connected };
      }
      try {
        callback(...result);
      } finally {
        note.fresh = undefined;
      }
    });
    if (socket instanceof Socket) {
      socket.once('connect', () => {
        reached = performance.now();
      });
    }
  };
}
