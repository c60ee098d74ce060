/** Tokens and passwords (wire-format.md 1.5, 4.13): own-user routes that work whatever the tenant hides. */
import Type from 'typebox';
import { type Access, hashPassword, isOwnUserRoute, isPassword, newSecret } from '../../access/index.ts';
import { Problem } from '../../contract/errors.ts';
import { Info, MODELS, User } from '../../contract/models/index.ts';
import type { JsonObject } from '../../kit/json.ts';
import { type Call, notFound, type Objects, originOf, type Stored, shaped } from '../../objects/index.ts';
import { type Context, ok, one, type Route } from '../http.ts';

const definition = MODELS.users;
const MAX_PASSWORD = 1024;

interface UserDeps {
  readonly objects: Objects;
  readonly access: Access;
  readonly info: (context: Context) => JsonObject;
}

function newPassword(context: Context): string {
  const body = context.json();
  const password =
    typeof body === 'object' && body !== null
      ? Object.entries(body).find(([name]) => name.toLowerCase() === 'password')?.[1]
      : undefined;
  if (typeof password !== 'string' || password === '')
    throw new Problem('bad-request', 'Password must be text and not empty', {
      model: 'users',
      key: context.params['key'] ?? '',
    });
  if (!isPassword(password))
    throw new Problem('bad-request', 'Password must have no NUL character', {
      model: 'users',
      key: context.params['key'] ?? '',
    });
  if (password.length > MAX_PASSWORD)
    throw new Problem('bad-request', `Password must have at most ${MAX_PASSWORD} characters`, {
      model: 'users',
      key: context.params['key'] ?? '',
    });
  return password;
}

/**
 * The user of an own-user route. A tenant hides all users but oneself, whatever the claims: a token of a hidden user would be a way out of
 * the tenant. Throws Problem `not-found`, `claim-missing`; who may not ask is not told which users there are.
 */
function target({ view, guard }: Objects, call: Call, typed: string, action: 'token' | 'password'): Stored {
  const stored = view.resolve(definition, typed);
  const isShown =
    stored !== undefined &&
    (isOwnUserRoute(call.actor, 'users', action, stored.key) || guard.visible(call, definition, stored, view));
  if (isShown || !call.actor.restricts('users'))
    guard.demand(call, [{ scope: 'users', action, specific: stored?.key ?? typed }]);
  if (isShown) return stored;
  if (stored) guard.hid(call, [{ scope: 'users', action, specific: stored.key }]);
  throw notFound(definition, typed);
}

export function userRoutes({ objects, access, info }: UserDeps): Route[] {
  return [
    {
      method: 'GET',
      path: '/users/:key/token',
      tag: 'users',
      summary: 'A token for the user',
      query: {
        ttl: 'Lifetime in seconds; default 3600',
        roles: 'Role names, comma-separated: narrows the token; roles that would widen it are dropped',
        scope: 'With action and specific: one claim that narrows the token',
        action: 'See scope',
        specific: 'See scope',
      },
      answer: {
        status: 200,
        schema: Type.Object({ Token: Type.String(), Info, Dropped: Type.Optional(Type.Array(Type.String())) }),
      },
      handler(context) {
        const name = context.params['key'] ?? '';
        const { call, query } = context;
        const { key } = target(objects, call, name, 'token');
        const asked = Object.fromEntries(
          (['ttl', 'roles', 'scope', 'action', 'specific'] as const).flatMap((key) => {
            const given = query[key];
            // Roles are a list, so that each `roles` adds to it; of anything else there is one.
            const value = key === 'roles' && Array.isArray(given) ? given.join(',') : one(given);
            return value === undefined ? [] : [[key, value]];
          }),
        );
        const { token, dropped } = access.issueUserToken(call.actor, key, asked);
        return ok({ Token: token, Info: info(context), ...(dropped.length > 0 ? { Dropped: dropped } : {}) });
      },
    },
    {
      method: 'PUT',
      path: '/users/:key/password',
      tag: 'users',
      summary: 'Sets the password; a new Secret ends every token of the user',
      body: Type.Object({ Password: Type.String() }),
      answer: { status: 200, schema: User },
      async handler(context) {
        const name = context.params['key'] ?? '';
        const { call } = context;
        const stored = target(objects, call, name, 'password');
        if (objects.view.isReadOnly('users', stored.key))
          throw new Problem('read-only', `readonly: ${stored.key}`, { status: 409 });
        const hash = await hashPassword(newPassword(context));
        const value = await objects.committer.commit(originOf(call), `users/${stored.key}`, (unit) => {
          const now = unit.get('users', stored.key);
          if (!now) throw notFound(definition, name);
          return unit.put('users', stored.key, { ...now.value, PasswordHash: hash, Secret: newSecret() });
        });
        return ok(shaped(definition, value, context.shape));
      },
    },
  ];
}
