/**
 * Rights and lifetimes of tokens for machines (service.md "Machine tokens", wire-format.md 5.8). The rights are not in
 * the token but follow from its kind when it is used, so a correction reaches tokens that live for years. What goes
 * beyond service.md is recorded in docs/decisions/0001-machine-token-extras.md.
 */
import { type Claim, discoveryClaims, operationsClaims } from '../contract/claims/index.ts';
import { v4Hex } from '../kit/ip-address.ts';
import type { TokenKind } from './token-content.ts';

/** Lifetime of `.GenerateInfiniteToken`: three years. */
export const INFINITE_SECONDS = 3 * 365 * 86_400;

/** Rights of a machine token. `address`: dotted, of the machine itself; it decides which reservation is its own. */
export function machineRights(
  kind: Exclude<TokenKind, 'user'>,
  subject: string,
  address: string | undefined,
): readonly Claim[] {
  switch (kind) {
    case 'discovery':
      return discoveryClaims;
    case 'operations':
      return operationsClaims(subject, address === undefined ? undefined : v4Hex(address));
    case 'profile':
      return [
        { scope: 'profiles', action: 'get,update', specific: subject },
        { scope: 'params', action: 'get', specific: '*' },
      ];
  }
}
