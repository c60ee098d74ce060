/**
 * From what a token says to who acts now: is everything it rests on unchanged, and what does it add up to today?
 *
 *   expiry      by the clock
 *   user        exists, same Secret         (user tokens)
 *   machine     exists, same Secret         (operations tokens)
 *   grantor     user exists, same Secret; so for those before it, where a token was got with a token;
 *                 for the system: the preference systemGrantorSecret
 *
 * The system Secret was checked before, by the seal. Role names are resolved now, and narrowings are intersected with
 * the rights the user has now: a role taken from the user, or from the system, is gone from living tokens too.
 */
import { compileGrants, type Grants } from '../contract/claims/index.ts';
import { machineRights } from './machine-rights.ts';
import { type AccessReader, membersOf, nameOf, rolesOf, secretOf } from './reader.ts';
import type { RoleBook } from './role-book.ts';
import type { CompiledSubject, Subject } from './subject.ts';
import type { NarrowingLayer, TokenContent, TokenKeys } from './token-content.ts';

/** One thing a token rests on, checked. */
interface TokenCheck {
  readonly what: 'expiry' | 'user' | 'machine' | 'grantor';
  readonly ok: boolean;
  /** What is wrong, or what was found right. */
  readonly sentence: string;
}

interface Resolved {
  readonly subject: Subject;
  readonly compiled: CompiledSubject;
}

type Reader = AccessReader;

function userCheck(what: 'user' | 'grantor', name: string, print: string, read: Reader, keys: TokenKeys): TokenCheck {
  const who = what === 'user' ? 'User' : 'Grantor';
  const stored = read.user(name);
  if (!stored) return { what, ok: false, sentence: `${who} ${name} no longer exists` };
  const ok = keys.print('user', name, secretOf(stored.value)) === print;
  return { what, ok, sentence: `The Secret of ${who.toLowerCase()} ${name} ${ok ? 'is unchanged' : 'was changed'}` };
}

function grantorCheck(grantor: string | null, print: string, read: Reader, keys: TokenKeys): TokenCheck {
  if (grantor !== null) return userCheck('grantor', grantor, print, read, keys);
  const ok = systemPrint(read, keys) === print;
  return {
    what: 'grantor',
    ok,
    sentence: `The Secret of the system as grantor ${ok ? 'is unchanged' : 'was changed'}`,
  };
}

function machineCheck(uuid: string, print: string, read: Reader, keys: TokenKeys): TokenCheck {
  const secret = read.machineSecret(uuid);
  if (secret === undefined) return { what: 'machine', ok: false, sentence: `Machine ${uuid} no longer exists` };
  const ok = keys.print('machine', uuid, secret) === print;
  return { what: 'machine', ok, sentence: `The Secret of machine ${uuid} ${ok ? 'is unchanged' : 'was changed'}` };
}

/** Fingerprint of the Secret behind everything the system itself grants. */
export function systemPrint(read: Reader, keys: TokenKeys): string {
  return keys.print('system', '', read.preference('systemGrantorSecret') ?? '');
}

/** Everything a token rests on, checked; it is alive when all are ok. `now` in ms. */
export function checkToken(content: TokenContent, now: number, read: Reader, keys: TokenKeys): readonly TokenCheck[] {
  const { subject, prints } = content;
  const expires = new Date(content.expires * 1000).toISOString();
  const alive = now < content.expires * 1000;
  return [
    { what: 'expiry', ok: alive, sentence: alive ? `Valid until ${expires}` : `Expired at ${expires}` },
    ...(content.kind === 'user' ? [userCheck('user', subject, prints.user ?? '', read, keys)] : []),
    ...(content.kind === 'operations' ? [machineCheck(subject, prints.machine ?? '', read, keys)] : []),
    grantorCheck(content.grantor, prints.grantor, read, keys),
    ...(content.via ?? []).map(({ grantor, print }) => grantorCheck(grantor, print, read, keys)),
  ];
}

function resolveLayer(layer: NarrowingLayer, book: RoleBook): { layer: Grants; missing: readonly string[] } {
  const roles = book.resolve(layer.roles ?? []);
  if (layer.claims === undefined) return { layer: book.compile(roles), missing: roles.missing };
  return { layer: compileGrants([...roles.groups, { claims: layer.claims }]), missing: roles.missing };
}

/** A user with the rights of today, narrowed by the layers. Undefined when there is no such user. */
export function resolveUser(
  name: string,
  narrowing: readonly NarrowingLayer[],
  read: Reader,
  book: RoleBook,
): Resolved | undefined {
  const stored = read.user(name);
  if (!stored) return undefined;
  const roles = book.resolve(rolesOf(stored.value));
  const layers = narrowing.map((layer) => resolveLayer(layer, book));
  const tenant = read.tenantOf(name)?.value;
  return {
    subject: {
      kind: 'user',
      name,
      tenant: tenant && { name: nameOf(tenant), members: membersOf(tenant) },
      ownUser: narrowing.length === 0,
      groups: roles.groups,
      layers: layers.map(({ layer }) => layer.groups),
      missingRoles: [...new Set([...roles.missing, ...layers.flatMap(({ missing }) => missing)])],
    },
    compiled: { rights: book.compile(roles), layers: layers.map(({ layer }) => layer) },
  };
}

function resolveMachine(kind: Exclude<TokenContent['kind'], 'user'>, subject: string, address?: string): Resolved {
  const groups = [{ claims: machineRights(kind, subject, address) }];
  const known = kind === 'operations';
  return {
    subject: {
      kind: known ? 'machine' : 'discovery',
      name: kind === 'profile' ? `profile ${subject}` : subject,
      tenant: undefined,
      ownUser: false,
      groups,
      layers: [],
      missingRoles: [],
    },
    compiled: { rights: compileGrants(groups), layers: [] },
  };
}

/** Who a token acts as today. Undefined when its user is gone. Does not check the token. */
export function resolveToken(content: TokenContent, read: Reader, book: RoleBook): Resolved | undefined {
  if (content.kind === 'user') return resolveUser(content.subject, content.narrowing, read, book);
  const address = content.kind === 'operations' ? read.machineAddress(content.subject) : undefined;
  return resolveMachine(content.kind, content.subject, address);
}
