/**
 * Somebody who acts, as every other room sees them: what the claims allow, what the tenant shows. An actor is a
 * snapshot of the moment it was resolved; whoever holds one for longer (a websocket) renews it with `Access.renew`.
 */
import type { ActorDescription, ActorKind } from '../contract/access-answers.ts';
import { type Visibility, visibility } from '../contract/tenants.ts';
import {
  type CompiledSubject,
  directClaims,
  isOwnUserAction,
  roleNames,
  type Subject,
  subjectAllows,
} from './subject.ts';

export interface Actor {
  readonly kind: ActorKind;
  /** User name; machine uuid; `general` or `profile NAME` for a boot file of a machine not known yet; `system`. */
  readonly name: string;
  readonly tenant: string | undefined;
  /** True for a token that carries less than the rights of its user. */
  readonly narrowed: boolean;
  /** By claims only, narrowing included; a couple of Map lookups. */
  allows(scope: string, action: string, specific: string): boolean;
  /** By tenant only. */
  sees(scope: string, key: string): boolean;
  /** True when the tenant names the scope. */
  restricts(scope: string): boolean;
  describe(): ActorDescription;
}

/** Where an actor came from; an actor without a token has none. */
interface Provenance {
  readonly grantor: string | null;
  /** Seconds since 1970. */
  readonly issuedAt: number;
  readonly expires: number;
  readonly dropped: readonly string[];
  readonly prints: { readonly grantor: string };
  readonly via?: readonly { readonly grantor: string; readonly print: string }[];
}

class ResolvedActor implements Actor {
  readonly kind: ActorKind;
  readonly name: string;
  readonly tenant: string | undefined;
  readonly narrowed: boolean;
  readonly subject: Subject;
  readonly #compiled: CompiledSubject;
  readonly #sight: Visibility;
  readonly #provenance: Provenance | undefined;

  constructor(subject: Subject, compiled: CompiledSubject, provenance: Provenance | undefined) {
    this.kind = subject.kind;
    this.name = subject.name;
    this.tenant = subject.tenant?.name;
    this.narrowed = subject.layers.length > 0;
    this.subject = subject;
    this.#compiled = compiled;
    this.#sight = visibility(subject.tenant && { Members: subject.tenant.members });
    this.#provenance = provenance;
  }

  allows(scope: string, action: string, specific: string): boolean {
    return subjectAllows(this.subject, this.#compiled, scope, action, specific);
  }

  sees(scope: string, key: string): boolean {
    return this.#sight.sees(scope, key);
  }

  restricts(scope: string): boolean {
    return this.#sight.restricts(scope);
  }

  /** Users who granted the token this actor came with, nearest first; none for a password. */
  grantors(): readonly { readonly grantor: string; readonly print: string }[] {
    const from = this.#provenance;
    if (from === undefined || from.grantor === null) return [];
    return [{ grantor: from.grantor, print: from.prints.grantor }, ...(from.via ?? [])];
  }

  describe(): ActorDescription {
    const { subject } = this;
    const carried = this.narrowed ? subject.layers.flat() : subject.groups;
    const time = (seconds: number | undefined): string | null =>
      seconds === undefined ? null : new Date(seconds * 1000).toISOString();
    return {
      Kind: this.kind,
      Name: this.name,
      Tenant: this.tenant ?? null,
      Narrowed: this.narrowed,
      OwnUser: subject.ownUser,
      Roles: [...new Set(roleNames(carried))],
      Claims: directClaims(carried),
      MissingRoles: subject.missingRoles,
      DroppedRoles: this.#provenance?.dropped ?? [],
      Grantor: this.#provenance ? (this.#provenance.grantor ?? 'system') : null,
      Issued: time(this.#provenance?.issuedAt),
      Expires: time(this.#provenance?.expires),
    };
  }
}

/** An actor for a subject. `compiled` must be made from that subject. */
export function createActor(subject: Subject, compiled: CompiledSubject, provenance?: Provenance): Actor {
  return new ResolvedActor(subject, compiled, provenance);
}

/** What an actor rests on; undefined for one that no token and no password made. */
export function subjectOf(actor: Actor): Subject | undefined {
  return actor instanceof ResolvedActor ? actor.subject : undefined;
}

/** Every user whose grant an actor rests on: of its token, of the token that one was got with, and so on. */
export function grantorsOf(actor: Actor): readonly { readonly grantor: string; readonly print: string }[] {
  return actor instanceof ResolvedActor ? actor.grantors() : [];
}

/** An actor of the product itself, which may do and sees everything. `name` ends up in the change log. */
export function trustedActor(kind: 'plugin' | 'system', name: string): Actor {
  return {
    kind,
    name,
    tenant: undefined,
    narrowed: false,
    allows: () => true,
    sees: () => true,
    restricts: () => false,
    describe: () => ({
      Kind: kind,
      Name: name,
      Tenant: null,
      Narrowed: false,
      OwnUser: false,
      Roles: [],
      Claims: [{ scope: '*', action: '*', specific: '*' }],
      MissingRoles: [],
      DroppedRoles: [],
      Grantor: null,
      Issued: null,
      Expires: null,
    }),
  };
}

/** The server acting on its own account. */
export const SYSTEM_ACTOR: Actor = trustedActor('system', 'system');

/**
 * True for the routes a user has on itself, which work whatever the tenant hides: getting itself, its password, a token.
 * A narrowed token has none of them.
 */
export function isOwnUserRoute(actor: Actor, scope: string, action: string, specific: string): boolean {
  return actor.kind === 'user' && !actor.narrowed && isOwnUserAction(actor.name, scope, action, specific);
}
