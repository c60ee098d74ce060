/**
 * What a token says, and the sealed text that carries it.
 *
 *   token = base64url(JSON) '.' base64url(HMAC-SHA256 of the text before the dot)
 *
 * The key comes from the system Secret (preference `baseTokenSecret`), so a new system Secret kills every token and
 * tokens survive a restart. The other secrets a token rests on (user, grantor, machine) are in it as keyed
 * fingerprints: enough to notice a change, useless for finding the secret. Clients treat tokens as opaque.
 */
import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { Claim } from '../contract/claims/index.ts';

export type TokenKind = 'user' | 'discovery' | 'operations' | 'profile';

/**
 * One narrowing. A request must be granted by one of these roles or claims, and by every other layer, and by the
 * rights of the user. Names of roles are resolved when the token is used.
 */
export interface NarrowingLayer {
  readonly roles?: readonly string[];
  readonly claims?: readonly Claim[];
}

export interface TokenContent {
  readonly kind: TokenKind;
  /** User name, machine uuid, profile name, or `general` for a machine not known yet. */
  readonly subject: string;
  /** User who had it issued; null: the system itself. */
  readonly grantor: string | null;
  /** Seconds since 1970. */
  readonly issuedAt: number;
  readonly expires: number;
  readonly id: string;
  readonly prints: { readonly user?: string; readonly machine?: string; readonly grantor: string };
  /**
   * Who granted the token that this one was got with, and so on back. A token is no way to outlive those it came from: what
   * a grantor granted ends with the grantor's Secret, and so does what was got with it.
   */
  readonly via?: readonly { readonly grantor: string; readonly print: string }[];
  /** Empty: the token acts with all rights of its user, the own-user claim included. */
  readonly narrowing: readonly NarrowingLayer[];
  /** Roles asked for and not given, for the token inspector. */
  readonly dropped: readonly string[];
}

/** Longer texts are not even looked at. Request headers are shorter. */
const LONGEST = 65_536;
const VERSION = 1;

/** Keys derived from one system Secret, made once per Secret. */
export interface TokenKeys {
  seal(content: TokenContent): string;
  /** Undefined for any text not sealed with this system Secret. Does not look at the time. */
  open(token: string): TokenContent | undefined;
  /** Keyed hash of a secret. Names are part of it: equal secrets of two users look different. */
  print(kind: 'user' | 'machine' | 'system', name: string, secret: string): string;
}

function subKey(secret: string, purpose: string): KeyObject {
  return createSecretKey(createHmac('sha256', secret).update(`proviso token ${purpose}`).digest());
}

/** Throws a TypeError for an empty secret: whoever knows that there is none could make tokens. */
export function createTokenKeys(systemSecret: string): TokenKeys {
  if (systemSecret === '') throw new TypeError('The system Secret is empty');
  const sealing = subKey(systemSecret, 'seal');
  const printing = subKey(systemSecret, 'fingerprint');
  const mac = (body: string): string => createHmac('sha256', sealing).update(body).digest('base64url');
  return {
    seal(content) {
      const body = Buffer.from(JSON.stringify({ v: VERSION, ...content })).toString('base64url');
      return `${body}.${mac(body)}`;
    },
    open(token) {
      const dot = token.indexOf('.');
      if (dot < 1 || token.length > LONGEST) return undefined;
      const body = token.slice(0, dot);
      const expected = Buffer.from(mac(body));
      const given = Buffer.from(token.slice(dot + 1));
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
      // Sealed by us, so it has the shape we gave it, unless another version of the product did.
      const content = JSON.parse(Buffer.from(body, 'base64url').toString()) as TokenContent & { v: number };
      return content.v === VERSION ? content : undefined;
    },
    print(kind, name, secret) {
      const hmac = createHmac('sha256', printing).update(JSON.stringify([kind, name, secret]));
      return hmac.digest().subarray(0, 16).toString('base64url');
    },
  };
}
