/**
 * The plugin param `callback/delivery`: everything beyond service.md, off unless given.
 *
 *   Backoff         {Factor, MaxSeconds, Jitter}   waits grow from Delay (1 s when that is 0), spread by +-Jitter
 *   AttemptTimeout  seconds one attempt may take; the callback's Timeout still rules over all of them
 *   Breaker         {Failures, CooldownSeconds}    stops asking a destination that keeps failing
 *   Signing         {Secrets: [whsec_..., ...]}    Standard Webhooks headers, one signature per active secret
 *   Egress          {Allow: [...], Deny: [...]}    hosts (`hooks.example.com`, `*.example.com`) and networks (`10.0.0.0/8`)
 */
import type { FieldReader } from './config-fields.ts';
import { type EgressRules, parseRule } from './egress.ts';
import { readSigningSecret } from './signing.ts';

export interface Backoff {
  readonly factor: number;
  readonly maxSeconds: number;
  /** 0..1: the share of the wait by which it may be shorter or longer. */
  readonly jitter: number;
}

export interface BreakerConfig {
  readonly failures: number;
  readonly cooldownSeconds: number;
}

export interface DeliveryExtras {
  readonly backoff: Backoff | undefined;
  /** 0: no limit of its own. */
  readonly attemptTimeoutSeconds: number;
  readonly breaker: BreakerConfig | undefined;
  /** Active secrets in order; empty: nothing is signed. */
  readonly signingSecrets: readonly string[];
  readonly egress: EgressRules | undefined;
}

export const NO_EXTRAS: DeliveryExtras = {
  backoff: undefined,
  attemptTimeoutSeconds: 0,
  breaker: undefined,
  signingSecrets: [],
  egress: undefined,
};

function readBackoff(reader: FieldReader): Backoff {
  const backoff = {
    factor: reader.number('Factor', 2, 1),
    maxSeconds: reader.number('MaxSeconds', 300),
    jitter: reader.number('Jitter', 0.2),
  };
  if (backoff.jitter > 1) reader.error(`Jitter must be between 0 and 1, it is ${backoff.jitter}`);
  reader.finish();
  return { ...backoff, jitter: Math.min(backoff.jitter, 1) };
}

function readBreaker(reader: FieldReader): BreakerConfig {
  const breaker = { failures: reader.whole('Failures', 5, 1), cooldownSeconds: reader.number('CooldownSeconds', 30) };
  reader.finish();
  return breaker;
}

function readSigning(reader: FieldReader): readonly string[] {
  const secrets = reader.texts('Secrets');
  if (secrets.length === 0) reader.error('Secrets needs one or two secrets');
  if (secrets.length > 2) reader.error(`Secrets has ${secrets.length} entries; at most two can be active`);
  for (const [i, secret] of secrets.entries()) {
    const reading = readSigningSecret(secret);
    if (!reading.ok) reader.error(`Secrets: entry ${i + 1} ${reading.reason}`);
  }
  reader.finish();
  return secrets;
}

function readEgress(reader: FieldReader): EgressRules {
  const rules = (field: 'Allow' | 'Deny') =>
    reader.texts(field).flatMap((text) => {
      const rule = parseRule(text);
      if (!rule) reader.error(`${field}: ${JSON.stringify(text)} is neither a host nor a network`);
      return rule ? [rule] : [];
    });
  const egress = { allow: rules('Allow'), deny: rules('Deny') };
  reader.finish();
  return egress;
}

export function readExtras(reader: FieldReader): DeliveryExtras {
  const backoff = reader.nested('Backoff');
  const breaker = reader.nested('Breaker');
  const signing = reader.nested('Signing');
  const egress = reader.nested('Egress');
  const extras: DeliveryExtras = {
    backoff: backoff && readBackoff(backoff),
    attemptTimeoutSeconds: reader.number('AttemptTimeout', 0),
    breaker: breaker && readBreaker(breaker),
    signingSecrets: signing ? readSigning(signing) : [],
    egress: egress && readEgress(egress),
  };
  reader.finish();
  return extras;
}
