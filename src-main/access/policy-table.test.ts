import { describe, expect, test } from 'vitest';
import { derivedPolicyRoutes, EXAMPLE_ROLES, policyTable } from './policy-table.ts';

describe('the policy table', () => {
  test('of every route this service derives claims for is as reviewed', async () => {
    await expect(policyTable(derivedPolicyRoutes(), EXAMPLE_ROLES)).toMatchFileSnapshot('policy-table.golden.txt');
  });

  test('lets the superuser do everything, and a user without roles only what is open to all', () => {
    const rows = policyTable(derivedPolicyRoutes(), EXAMPLE_ROLES)
      .trimEnd()
      .split('\n')
      .slice(1)
      .map((row) => row.split(/ {2,}/));
    expect(rows.length).toBeGreaterThan(200);
    expect(rows.filter((row) => row[3] !== 'yes')).toEqual([]);
    const open = rows.filter((row) => row[2] === 'yes').map((row) => row.at(-1));
    expect(new Set(open)).toEqual(new Set(['info get ""', 'none']));
  });

  test('prints one aligned row per route', () => {
    const routes = [
      { method: 'GET', path: '/machines', claims: [{ scope: 'machines', action: 'list', specific: '*' }] },
      { method: 'POST', path: '/machines', claims: [{ scope: 'machines', action: 'create', specific: '' }] },
    ];
    const roles = [{ name: 'viewer', claims: [{ scope: '*', action: 'list', specific: '*' }] }];
    expect(policyTable(routes, roles)).toBe(
      [
        'method  path       no-role  viewer  claims of the example',
        'GET     /machines  .        yes     machines list *',
        'POST    /machines  .        .       machines create ""',
        '',
      ].join('\n'),
    );
  });
});
