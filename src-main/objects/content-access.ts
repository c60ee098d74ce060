/**
 * What a content pack must not get around: packs carry objects of any type, so reading one obeys tenants like reading the objects, and users,
 * roles and tenants in it need what writing them one by one needs, license and lock-out guard included. Pure but for what is read.
 */
import { type AccessState, lockOutProblem } from '../access/index.ts';
import { isPrefix, MODELS } from '../contract/models/index.ts';
import type { JsonObject } from '../kit/json.ts';
import { jsonEquals } from '../kit/json-patch.ts';
import type { Guard } from './guard.ts';
import type { LayerStack, Pack } from './layers.ts';
import type { Call, Demand, Unit, View } from './types.ts';

const ACCESS_TYPES = ['users', 'roles', 'tenants'] as const;

const NO_BYTES = Buffer.alloc(0);

/** Whether the caller's tenant shows an object of a pack or of the writable layer. */
export function showsEntry(
  guard: Guard,
  view: View,
  call: Call,
  prefix: string,
  key: string,
  value: JsonObject,
): boolean {
  if (!isPrefix(prefix) || !call.actor.restricts(prefix)) return true;
  return guard.visible(call, MODELS[prefix], { prefix, key, value, revision: 0, bytes: NO_BYTES }, view);
}

/** Demands for the users, roles and tenants that come, change or go when `before` becomes `after`. */
export function accessDemands(before: Pack | undefined, after: Pack | undefined, view: View): Demand[] {
  return ACCESS_TYPES.flatMap((scope) => {
    const old = before?.sections[scope] ?? {};
    const now = after?.sections[scope] ?? {};
    return [...new Set([...Object.keys(old), ...Object.keys(now)])].flatMap((key): Demand[] => {
      const was = Object.hasOwn(old, key) ? old[key] : undefined;
      const is = Object.hasOwn(now, key) ? now[key] : undefined;
      if (is === undefined) return [{ scope, action: 'delete', specific: key }];
      if (was !== undefined) return jsonEquals(was, is) ? [] : [{ scope, action: 'update', specific: key }];
      // One that the pack takes over from the writable layer is changed, not made.
      return view.get(scope, key)
        ? [{ scope, action: 'update', specific: key }]
        : [{ scope, action: 'create', specific: '' }];
    });
  });
}

/**
 * Why swapping the stack for `next` would lock everybody out, as a sentence; undefined when it would not. `gone`: `prefix/key` of writable
 * objects that give way to the pack.
 */
export function contentLockOut(unit: Unit, next: LayerStack, gone: ReadonlySet<string>): string | undefined {
  const before = (prefix: string): JsonObject[] => [...unit.entries(prefix)].map((stored) => stored.value);
  const after = (prefix: string): JsonObject[] => {
    const writable = [...unit.entries(prefix)].filter(
      ({ key }) => !unit.isReadOnly(prefix, key) && !gone.has(`${prefix}/${key}`),
    );
    const shadowed = new Set(writable.map(({ key }) => key));
    const layered = next.keys(prefix).filter((key) => !shadowed.has(key));
    return [...writable.map(({ value }) => value), ...layered.map((key) => next.get(prefix, key)?.value ?? {})];
  };
  const world = (of: (prefix: string) => JsonObject[]): AccessState => ({
    users: of('users'),
    roles: of('roles'),
    tenants: of('tenants'),
  });
  return lockOutProblem(world(before), world(after));
}
