/**
 * Words of this room. A `Call` is one request on somebody's behalf; a `View` is everything that can be read (the writable
 * store above the read-only content layers); a `Unit` is a View that can be written, inside one transaction; `TypeRules`
 * are what one object type adds to the generic behaviour.
 */
import type { Actor } from '../access/index.ts';
import type { Problem } from '../contract/errors.ts';
import type { ModelDefinition } from '../contract/models/index.ts';
import type { JsonObject } from '../kit/json.ts';
import type { Stored } from '../store/index.ts';

/** Revisions of an object, one of which must be the current one; none of them: no revision will do. */
export interface RevisionMatch {
  readonly revisions: readonly number[];
  /** As the caller wrote it; refusals show it. */
  readonly text: string;
}

/** One request, from whoever: what decisions and the change log need to know of it. */
export interface Call {
  readonly actor: Actor;
  readonly requestId: string;
  /** Path and query as requested; denials show it (wire-format.md 2.3). */
  readonly url: string;
  /** `?force=true`: skips the refusals that only protect against haste. */
  readonly force: boolean;
  /** Revisions the caller will change (If-Match); undefined: any. */
  readonly ifMatch?: RevisionMatch | undefined;
}

/** Scope, action and identifier of one demand on the actor. */
export interface Demand {
  readonly scope: string;
  readonly action: string;
  readonly specific: string;
  /** What a refusal prints in place of `specific`: the key as the caller typed it. */
  readonly shown?: string;
}

/** Reads over the writable store and the content layers below it. */
export interface View {
  get(prefix: string, key: string): Stored | undefined;
  /** By native key or `Index:value` of a unique index (wire-format.md 3.3). */
  resolve(definition: ModelDefinition, typed: string): Stored | undefined;
  /** All objects of a prefix, ascending by key; stable while it is being read. */
  entries(prefix: string): Iterable<Stored>;
  count(prefix: string): number;
  /** True when the object comes from a content layer and cannot be written. */
  isReadOnly(prefix: string, key: string): boolean;
  preference(name: string): string | undefined;
}

/** A View inside a transaction. Every write is filled, validated and flagged before it is stored. */
export interface Unit extends View {
  put(prefix: string, key: string, value: JsonObject): JsonObject;
  remove(prefix: string, key: string): void;
}

/** What a rule may know of the change it judges. */
export interface RuleContext {
  readonly unit: Unit;
  readonly force: boolean;
  readonly actor: Actor;
  readonly now: number;
  /** True when a patch wrote a field that `rewrites` names. */
  readonly rewritten: boolean;
}

/** Behaviour of one object type beyond the generic. All functions are pure but for what they put through `context.unit`. */
export interface TypeRules {
  /** Completes a new object before it is validated. */
  create?(value: JsonObject, context: RuleContext): JsonObject;
  /** Checks and completes a change asked for from outside. Throws a Problem to refuse. */
  change?(before: JsonObject, after: JsonObject, context: RuleContext): JsonObject;
  /** True when a patch that writes these pointers is a change even where it writes the values that are there. */
  rewrites?(pointers: readonly string[]): boolean;
  /** Runs on every write, internal ones too. */
  normalize?(value: JsonObject, view: View): JsonObject;
  /** Structural refusals (422) beyond those of the model. */
  invalid?(value: JsonObject, view: View): readonly string[];
  /** Soft problems: the object is stored with them in `Errors` and is not Available. */
  unavailable?(value: JsonObject, view: View): readonly string[];
  /** Why it cannot be removed now. */
  refuseRemoval?(value: JsonObject, context: RuleContext): Problem | undefined;
  /** What else changes in the same transaction, after the object was put (`after` undefined: removed). */
  react?(before: JsonObject | undefined, after: JsonObject | undefined, unit: Unit): void;
}

export type RuleTable = Readonly<Partial<Record<string, readonly TypeRules[]>>>;

/** What listeners hear (wire-format.md 4.21, 7). `object` is as stored: masking and shaping happen where it leaves. */
export interface ObjectEvent {
  /** Number of the commit, or of the last commit before an event without one. */
  readonly seq: number;
  /** Place in the stream, `seq.n`: no two events of one life of the server share it. */
  readonly id: string;
  readonly time: string;
  readonly type: string;
  readonly action: string;
  readonly key: string;
  readonly object: unknown;
  readonly original?: JsonObject | undefined;
  readonly principal: string;
}
