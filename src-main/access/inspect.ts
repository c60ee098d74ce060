/** What a token says and whether it holds: the token inspector (ux.md 10). */
import type { Claim } from '../contract/claims/index.ts';
import { type ActorDescription, createActor } from './actor.ts';
import type { AccessReader } from './reader.ts';
import { checkToken, resolveToken, type TokenCheck } from './resolve.ts';
import type { RoleBook } from './role-book.ts';
import type { TokenKeys } from './token-content.ts';

/** One line of the verdict. */
export interface InspectedCheck {
  readonly What: TokenCheck['what'] | 'system';
  readonly Ok: boolean;
  readonly Sentence: string;
}

export interface TokenInspection {
  readonly Valid: boolean;
  /** System Secret first; nothing else can be said of a token that was not made with it. */
  readonly Checks: readonly InspectedCheck[];
  /** Kind of the token: `user`, `discovery`, `operations`, `profile`. Null when it cannot be read. */
  readonly Token: string | null;
  readonly Id: string | null;
  /** What the token asks to be narrowed to, layer by layer, as it was issued. */
  readonly Narrowing: readonly { readonly Roles: readonly string[]; readonly Claims: readonly Claim[] }[];
  /** Who it acts as today. Null when it cannot be read or its user is gone. */
  readonly Actor: ActorDescription | null;
}

export interface InspectDeps {
  readonly read: AccessReader;
  readonly keys: TokenKeys;
  readonly now: number;
  readonly book: RoleBook;
}

export function inspectToken(token: string, { read, keys, now, book }: InspectDeps): TokenInspection {
  const content = keys.open(token);
  if (!content) {
    const Sentence = 'Not a token of this system, or the Secret of the system was changed since it was issued';
    return {
      Valid: false,
      Checks: [{ What: 'system', Ok: false, Sentence }],
      Token: null,
      Id: null,
      Narrowing: [],
      Actor: null,
    };
  }
  const checks = checkToken(content, now, read, keys);
  const resolved = resolveToken(content, read, book);
  return {
    Valid: checks.every((check) => check.ok),
    Checks: [
      { What: 'system', Ok: true, Sentence: 'The Secret of the system is unchanged' },
      ...checks.map(({ what, ok, sentence }) => ({ What: what, Ok: ok, Sentence: sentence })),
    ],
    Token: content.kind,
    Id: content.id,
    Narrowing: content.narrowing.map(({ roles, claims }) => ({ Roles: roles ?? [], Claims: claims ?? [] })),
    Actor: resolved ? createActor(resolved.subject, resolved.compiled, content).describe() : null,
  };
}
