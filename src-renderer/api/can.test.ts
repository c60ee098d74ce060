import { describe, expect, it } from 'vitest';
import type { OwnRights } from '../../src-main/contract/access-answers.ts';
import type { HostState } from '../../src-main/contract/host.ts';
import { grantsOf, lockedFields, lockedFor, type Standing } from './can.ts';

const host = (features: string[], state: 'running' | 'starting' = 'running') =>
  ({ features, service: { state, since: '' } }) as unknown as HostState;
type RoleClaims = OwnRights['RoleClaims'][number];
const own = (roles: readonly RoleClaims[], more: Partial<OwnRights> = {}) =>
  ({
    Name: 'ana',
    Roles: roles.map(({ Role }) => Role),
    RoleClaims: roles,
    Claims: [],
    MissingRoles: [],
    OwnUser: true,
    Narrowed: false,
    ...more,
  }) as unknown as OwnRights;
const role = (Role: string, ...claims: string[]): RoleClaims => ({
  Role,
  Claims: claims.map((text) => {
    const [scope = '', action = '', specific = ''] = text.split(' ');
    return { scope, action, specific };
  }),
});
const standing = (roles: RoleClaims[], features: string[] = []): Standing => ({
  host: host(features),
  grants: grantsOf(own(roles)),
});

describe('lockedFor', () => {
  it('names the missing claim', () => {
    expect(lockedFor(standing([]), 'users', 'create')).toBe('Requires: users create *');
    expect(lockedFor(standing([]), 'machines', 'delete', 'm1')).toBe('Requires: machines delete m1');
  });

  it('allows what a role grants, and the own user without any role', () => {
    expect(lockedFor(standing([role('r', 'machines delete m1')]), 'machines', 'delete', 'm1')).toBeUndefined();
    expect(lockedFor(standing([]), 'users', 'password', 'ana')).toBeUndefined();
    expect(lockedFor(standing([]), 'users', 'password', 'bo')).toBe('Requires: users password bo');
  });

  it('locks writes on roles and tenants without the license, reading never', () => {
    const root = role('superuser', '* * *');
    expect(lockedFor(standing([root]), 'roles', 'create')).toBe('needs license feature rbac');
    expect(lockedFor(standing([root]), 'tenants', 'update:/Users', 't')).toBe('needs license feature rbac');
    expect(lockedFor(standing([root]), 'roles', 'list')).toBeUndefined();
    expect(lockedFor(standing([root], ['rbac']), 'roles', 'create')).toBeUndefined();
  });

  it('locks everything while the service does not run', () => {
    expect(lockedFor({ host: host([], 'starting'), grants: undefined }, 'users', 'create')).toBe(
      'The service is starting.',
    );
  });

  it.each([
    ['the token is narrowed', own([], { Narrowed: true })],
    ['the answer is not there yet', undefined],
  ] as const)('leaves the decision to the server when %s', (_when, rights) => {
    const unknown = { host: host([]), grants: grantsOf(rights) };
    expect(lockedFor(unknown, 'users', 'create')).toBeUndefined();
  });

  it('counts a role name that points nowhere as no right, and a user without roles as known', () => {
    const grants = grantsOf(own([], { MissingRoles: ['gone'] }));
    expect(lockedFor({ host: host([]), grants }, 'users', 'create')).toBe('Requires: users create *');
  });

  it('grants nothing of its own to a token without the own-user claim', () => {
    const grants = grantsOf(own([], { OwnUser: false }));
    expect(lockedFor({ host: host([]), grants }, 'users', 'password', 'ana')).toBe('Requires: users password ana');
  });

  it('counts direct claims', () => {
    const grants = grantsOf(own([], { Claims: [{ scope: 'users', action: 'create', specific: '*' }] }));
    expect(lockedFor({ host: host([]), grants }, 'users', 'create')).toBeUndefined();
  });
});

describe('lockedFields', () => {
  it('says which of the changed fields would be refused', () => {
    const partly = standing([role('r', 'machines update:/Params/rack m1')]);
    expect(lockedFields(partly, 'machines', 'm1', ['/Params/rack', '/Name', '/Name'])).toEqual(['/Name']);
  });
});
