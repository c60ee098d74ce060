/**
 * What this room reads, declared here so that it knows no store: committed users, roles, tenants, machines and
 * preferences. Records are JSON as stored; the functions below read the few fields that matter and survive odd ones.
 */
import { type Claim, readClaim } from '../contract/claims/index.ts';
import type { Members } from '../contract/tenants.ts';
import { isJsonObject, type Json, type JsonObject } from '../kit/json.ts';

/** One committed record and its revision; equal revisions mean equal content. */
export interface Committed {
  readonly value: JsonObject;
  readonly revision: number;
}

/** What access needs to read; committed state, a couple of Map lookups each. */
export interface AccessReader {
  user(name: string): Committed | undefined;
  role(name: string): Committed | undefined;
  /** The tenant whose `Users` lists the user. */
  tenantOf(userName: string): Committed | undefined;
  /** Undefined: the machine is gone. */
  machineSecret(uuid: string): string | undefined;
  /** Dotted IPv4 address; undefined or empty when the machine has none yet. */
  machineAddress(uuid: string): string | undefined;
  preference(name: string): string | undefined;
  /** Changes whenever any user, role, tenant or preference was committed. */
  generation(): number;
}

function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

function texts(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? (value as readonly Json[]).filter((item) => typeof item === 'string') : [];
}

export function nameOf(record: JsonObject): string {
  return text(record['Name']);
}

/**
 * What tokens of the user rest on. A user of a content layer may have no Secret; then a new password ends its tokens all the same.
 */
export function secretOf(user: JsonObject): string {
  return text(user['Secret']) || text(user['PasswordHash']);
}

export function passwordHashOf(user: JsonObject): string {
  return text(user['PasswordHash']);
}

/** Role names of a user, each once, in the order given. */
export function rolesOf(user: JsonObject): readonly string[] {
  return [...new Set(texts(user['Roles']))];
}

/** Claims of a role; an entry that is no claim grants nothing and is left out. */
export function claimsOf(role: JsonObject): readonly Claim[] {
  const stored = role['Claims'];
  if (!Array.isArray(stored)) return [];
  return (stored as readonly Json[]).flatMap((item) => {
    const claim = readClaim(item);
    return claim.ok ? [claim.value] : [];
  });
}

/** User names listed by a tenant. */
export function usersOf(tenant: JsonObject): readonly string[] {
  return texts(tenant['Users']);
}

/** What a tenant shows of each restricted scope. */
export function membersOf(tenant: JsonObject): Members {
  const members = tenant['Members'];
  if (!isJsonObject(members)) return {};
  return Object.fromEntries(Object.entries(members).map(([scope, keys]) => [scope, texts(keys)]));
}
