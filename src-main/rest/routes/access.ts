/**
 * Explaining and simulating decisions (additive, below `/x/access`). Only for callers who may list users and roles: an explanation
 * shows what others may do.
 */
import Type from 'typebox';
import {
  type Access,
  type Actor,
  explainRequest,
  type Subject,
  simulate,
  subjectOf,
  withDraft,
} from '../../access/index.ts';
import type { OwnRights, TokenInspection } from '../../contract/access-answers.ts';
import { API_PREFIX } from '../../contract/api-prefix.ts';
import { derive } from '../../contract/claims/index.ts';
import { DecodeError, decode } from '../../contract/decode.ts';
import { Problem } from '../../contract/errors.ts';
import { MODELS, PREFIXES } from '../../contract/models/index.ts';
import { isJsonObject, type Json, type JsonObject } from '../../kit/json.ts';
import { accessState, type Call, deriveContext, type Objects } from '../../objects/index.ts';
import { jsonObject, requiredText } from '../body.ts';
import { type Context, ok, type Route } from '../http.ts';

const EXPLAIN_BODY = Type.Object({
  user: Type.Optional(Type.String()),
  token: Type.Optional(Type.String()),
  method: Type.String(),
  path: Type.String(),
  body: Type.Optional(Type.Unknown()),
});
const SIMULATE_BODY = Type.Object({
  role: Type.Optional(Type.Unknown()),
  tenant: Type.Optional(Type.Unknown()),
  remove: Type.Optional(Type.Object({ role: Type.Optional(Type.String()), tenant: Type.Optional(Type.String()) })),
  requests: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000 })),
});
const DEFAULT_REQUESTS = 1_000;

interface AccessRouteDeps {
  readonly objects: Objects;
  readonly access: Access;
  readonly licensed: (feature: string) => boolean;
}

/** Members of a body by lower-case name: the letter case of field names is free. */
function fields(context: Context): JsonObject {
  const body = jsonObject(context.json());
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name.toLowerCase(), value]));
}

function demandInsight({ objects }: AccessRouteDeps, context: Context, more: readonly string[] = []): void {
  objects.guard.demand(
    context.call,
    ['users', 'roles', ...more].map((scope) => ({ scope, action: 'list', specific: '*' })),
  );
}

/** A draft as it would be stored; what could not be stored is no draft. Throws Problem `bad-request` that names the fault. */
function readDraft(kind: 'roles' | 'tenants', field: string, draft: Json): JsonObject {
  if (!isJsonObject(draft)) throw new Problem('bad-request', `${field} must be an object`);
  try {
    const record = decode(MODELS[kind], draft);
    if (!record['Name']) throw new Problem('bad-request', `${field} needs a Name`);
    return record;
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw new Problem('bad-request', `${field}: ${error.message}`, { cause: error });
  }
}

interface Asked {
  /** User to ask about, or `token` for what that token may do. */
  readonly user?: string;
  readonly token?: string;
  readonly method: string;
  readonly path: string;
  readonly body?: Json;
}

interface Asker {
  readonly subject: Subject;
  readonly token?: { readonly ok: boolean; readonly sentence: string };
}

/** Whether a tenant shows somebody who acts: a user, a machine, or the caller itself. */
function showsActor(caller: Actor, kind: Actor['kind'], name: string): boolean {
  if (kind === caller.kind && name === caller.name) return true;
  return kind === 'machine' ? caller.sees('machines', name) : caller.sees('users', name);
}

/**
 * What a token says, as far as the caller's tenant shows whom it is about. Grantors of grantors are in the sentences alone, so a tenant
 * that hides users hides all of these.
 */
function inspectFor(access: Access, caller: Actor, token: string): TokenInspection {
  const inspected = access.inspect(token);
  const { Actor } = inspected;
  const isShown = Actor === null ? !caller.restricts('users') : showsActor(caller, Actor.Kind, Actor.Name);
  if (isShown && !caller.restricts('users')) return inspected;
  const Checks = inspected.Checks.map((check) => {
    const isTold = check.What === 'system' || check.What === 'expiry' || (check.What !== 'grantor' && isShown);
    return isTold
      ? check
      : { ...check, Sentence: `${check.Ok ? 'Unchanged' : 'Changed, or gone'}; not shown by your tenant` };
  });
  if (Actor === null || !isShown) return { ...inspected, Checks, Narrowing: [], Actor: null };
  const isKnown = Actor.Grantor === null || Actor.Grantor === 'system' || showsActor(caller, 'user', Actor.Grantor);
  return { ...inspected, Checks, Actor: isKnown ? Actor : { ...Actor, Grantor: null } };
}

/** Who is asked about. A token that is dead still tells whose it was, so that the rest can be explained too. */
function askerOf(access: Access, asked: Asked, shown: (subject: Subject) => boolean): Asker {
  if (asked.token !== undefined) {
    try {
      const subject = subjectOf(access.bearer(asked.token));
      if (subject && shown(subject))
        return {
          subject,
          token: { ok: true, sentence: 'The token is known, not expired, and every Secret it rests on is unchanged' },
        };
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
    }
    const inspected = access.inspect(asked.token);
    const subject = access.subjectOfUser(inspected.Actor?.Name ?? '');
    const failed = inspected.Checks.find((check) => !check.Ok);
    if (subject && shown(subject))
      return {
        subject,
        token: { ok: false, sentence: failed ? `The token is dead: ${failed.Sentence}` : 'The token is dead' },
      };
    throw new Problem('bad-request', 'The token was not made by this server, or its user is gone');
  }
  const subject = access.subjectOfUser(asked.user ?? '');
  if (!subject || !shown(subject))
    throw new Problem('not-found', `There is no user ${asked.user}`, { model: 'users', key: asked.user ?? '' });
  return { subject };
}

/** What the caller is told of itself: roles, tenant, expiry, and the claims of its own roles. */
function ownRights(actor: Actor): OwnRights {
  const groups = subjectOf(actor)?.groups ?? [];
  const RoleClaims = groups.flatMap(({ role, claims }) => (role === undefined ? [] : [{ Role: role, Claims: claims }]));
  return { ...actor.describe(), RoleClaims };
}

/**
 * Explains one request: the answer of `POST /x/access/explain` and of the command line. `call`: who wants to know; users and objects that its
 * tenant hides do not exist for it, and of objects it may not read nothing is derived from the contents. Throws Problem `not-found`, `bad-request`.
 */
export function explainFor(
  deps: Pick<AccessRouteDeps, 'objects' | 'access' | 'licensed'>,
  asked: Asked,
  call?: Call,
): JsonObject {
  const { objects, access, licensed } = deps;
  const isShown = ({ kind, name }: Subject): boolean => call === undefined || showsActor(call.actor, kind, name);
  const { subject, token } = askerOf(access, asked, isShown);
  const path = asked.path.startsWith(API_PREFIX)
    ? asked.path
    : `${API_PREFIX}${asked.path.startsWith('/') ? '' : '/'}${asked.path}`;
  const context =
    call === undefined
      ? deriveContext(objects.view)
      : deriveContext(
          objects.view,
          (definition, stored) => objects.guard.visible(call, definition, stored, objects.view),
          ({ prefix }, key) => call.actor.allows(prefix, 'get', key),
        );
  const found = derive(
    { method: asked.method.toUpperCase(), path, ...(asked.body === undefined ? {} : { body: asked.body }) },
    { ...context, asMachine: subject.kind === 'machine' },
  );
  if (found.kind === 'no-route') throw new Problem('bad-request', `There is no route ${path}`);
  if (found.kind === 'wrong-method')
    throw new Problem('bad-request', `${path} has no method ${asked.method}; it has ${found.allow.join(', ')}`);
  if (found.kind === 'unreadable') throw new Problem('bad-request', found.message);
  return explainRequest({
    subject,
    claims: found.claims,
    touches: found.touches,
    licensed,
    ...(token ? { token } : {}),
    ...(call ? { mayName: (scope, name) => call.actor.sees(scope, name) } : {}),
  });
}

export function accessRoutes(deps: AccessRouteDeps): Route[] {
  const { objects, access, licensed } = deps;
  return [
    {
      method: 'POST',
      path: '/x/access/explain',
      tag: 'access',
      summary: 'Why a request of a user would be allowed or not',
      body: EXPLAIN_BODY,
      answer: { status: 200, schema: Type.Record(Type.String(), Type.Unknown()) },
      handler(context) {
        demandInsight(deps, context);
        const body = fields(context);
        const who =
          body['token'] === undefined ? { user: requiredText(body, 'user') } : { token: requiredText(body, 'token') };
        const asked = { ...who, method: requiredText(body, 'method'), path: requiredText(body, 'path') };
        const whole = body['body'] === undefined ? asked : { ...asked, body: body['body'] };
        return ok(explainFor(deps, whole, context.call));
      },
    },
    {
      method: 'POST',
      path: '/x/access/simulate',
      tag: 'access',
      summary: 'What a draft role or tenant would change, for all users and for audited requests',
      body: SIMULATE_BODY,
      answer: { status: 200, schema: Type.Record(Type.String(), Type.Unknown()) },
      async handler(context) {
        demandInsight(deps, context, ['tenants', 'audit']);
        const { actor, url } = context.call;
        if (PREFIXES.some((prefix) => actor.restricts(prefix)))
          throw new Problem(
            'claim-missing',
            [
              `Cannot access ${url}`,
              `A simulation is about all users and requests, and tenant ${actor.tenant} hides some`,
            ],
            { reason: 'tenant' },
          );
        const body = fields(context);
        const before = accessState(objects.view);
        let after = before;
        let drafts = 0;
        for (const [field, kind] of [['role', 'roles'] as const, ['tenant', 'tenants'] as const]) {
          const draft = body[field];
          if (draft !== undefined && draft !== null) {
            const record = readDraft(kind, field, draft);
            after = withDraft(after, kind, String(record['Name']), record);
            drafts++;
          }
          const removed = (body['remove'] as JsonObject | undefined)?.[field];
          if (typeof removed === 'string') {
            after = withDraft(after, kind, removed, undefined);
            drafts++;
          }
        }
        if (drafts === 0) throw new Problem('bad-request', 'Give a draft role or tenant, or one to remove');
        const count = body['requests'] ?? DEFAULT_REQUESTS;
        if (typeof count !== 'number' || !Number.isInteger(count) || count < 0 || count > 10_000)
          throw new Problem('bad-request', 'requests must be a whole number up to 10000');
        const past = count === 0 ? [] : await objects.pastRequests(count);
        return ok(simulate(before, after, past, licensed));
      },
    },
    {
      method: 'GET',
      path: '/x/access/own',
      tag: 'access',
      summary: "The caller's own rights: roles with their claims, tenant, how the token was narrowed",
      answer: { status: 200, schema: Type.Record(Type.String(), Type.Unknown()) },
      handler: (context) => ok(ownRights(context.call.actor)),
    },
    {
      method: 'POST',
      path: '/x/access/inspect',
      tag: 'access',
      summary: 'What a token says and whether each thing it rests on still holds',
      body: Type.Object({ token: Type.String() }),
      answer: { status: 200, schema: Type.Record(Type.String(), Type.Unknown()) },
      handler(context) {
        demandInsight(deps, context);
        return ok(inspectFor(access, context.call.actor, requiredText(fields(context), 'token')));
      },
    },
  ];
}
