/** What a token says and whether it holds: the token inspector (ux.md 10). */
import type { TokenInspection } from '../contract/access-answers.ts';
import { createActor } from './actor.ts';
import type { AccessReader } from './reader.ts';
import { checkToken, resolveToken } from './resolve.ts';
import type { RoleBook } from './role-book.ts';
import type { TokenKeys } from './token-content.ts';

interface InspectDeps {
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
