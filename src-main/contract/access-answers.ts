/** What the routes about access answer (`/x/access/…`), shared by the server and the screens. */
import type { Claim, RequiredClaim } from './claims/index.ts';

export type ActorKind = 'user' | 'machine' | 'discovery' | 'plugin' | 'system';

/** What an actor rests on, for the token inspector and for people. Holds no secret. */
export interface ActorDescription {
  readonly Kind: ActorKind;
  readonly Name: string;
  readonly Tenant: string | null;
  readonly Narrowed: boolean;
  /** True when the own-user claim holds. */
  readonly OwnUser: boolean;
  /** Roles in force: those of the user, or of a narrowed token those it was narrowed to. */
  readonly Roles: readonly string[];
  /** Claims that come from no role. */
  readonly Claims: readonly Claim[];
  /** Roles assigned or carried that do not exist. */
  readonly MissingRoles: readonly string[];
  /** Roles asked for in the token request and not given, since they would have widened it. */
  readonly DroppedRoles: readonly string[];
  /** User who had the token issued; `system` for machine tokens; null without a token. */
  readonly Grantor: string | null;
  /** RFC 3339; null for an actor without a token. */
  readonly Issued: string | null;
  readonly Expires: string | null;
}

/** The answer of `GET /x/access/own`: with what the roles allow, whether or not the caller may read roles. */
export interface OwnRights extends ActorDescription {
  readonly RoleClaims: readonly { readonly Role: string; readonly Claims: readonly Claim[] }[];
}

/** A claim and where it stands. */
export type ExplainedClaim = {
  /** Name of the role; null for claims no role gives. */
  readonly role: string | null;
  readonly claim: Claim;
};

export type ExplainedNeed = RequiredClaim & {
  readonly Granted: boolean;
  /** Left out where the role is hidden from whoever wants to know. */
  readonly By?: ExplainedClaim;
  /** Among the roles that are not hidden from whoever wants to know. */
  readonly NearestMiss?: ExplainedClaim & {
    readonly Lacks: readonly { readonly Field: 'scope' | 'action' | 'specific'; readonly Sentence: string }[];
  };
  /** The smallest claim that would grant it; where it is not granted. */
  readonly Smallest?: Claim;
  /** True when the user has the right and the token leaves it out. */
  readonly Narrowed?: boolean;
};

export type Rung = 'token' | 'tenant' | 'claim' | 'license';

export type ExplainedRung = {
  readonly Rung: Rung;
  readonly Verdict: 'pass' | 'stop' | 'not evaluated';
  readonly Sentence: string;
};

export type Explanation = {
  readonly Allowed: boolean;
  /** Empty when allowed. */
  readonly Reason: Rung | '';
  /** The reason, or what makes it allowed, in one sentence. */
  readonly Sentence: string;
  readonly Claims: readonly ExplainedNeed[];
  readonly Tenant: {
    /** Null: the user is in no tenant, or in one that is hidden from whoever wants to know. */
    readonly Name: string | null;
    /** True when the tenant restricts a type of object the request is about. */
    readonly Restricts: boolean;
    readonly Visible: boolean;
  };
  readonly License: {
    /** Feature the request needs; null when it needs none. */
    readonly Feature: string | null;
    readonly Licensed: boolean;
  };
  readonly Ladder: readonly ExplainedRung[];
};

/** One line of the verdict. */
export interface InspectedCheck {
  readonly What: 'system' | 'expiry' | 'user' | 'machine' | 'grantor';
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
  /** Who it acts as today. Null when it cannot be read, or its user is gone or hidden from whoever wants to know. */
  readonly Actor: ActorDescription | null;
}
