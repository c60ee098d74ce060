import { expect, test } from 'vitest';
import { decode } from '../decode.ts';
import { MODELS, type Prefix, references } from './index.ts';

type Row = readonly [kind: Prefix, key: string, message: string, hard: boolean, pointer: string];

const rows: readonly (readonly [Prefix, object, readonly Row[]])[] = [
  [
    'users',
    { Roles: ['r1', 'r2'] },
    [
      ['roles', 'r1', 'Role r1 does not exist', false, '/Roles/0'],
      ['roles', 'r2', 'Role r2 does not exist', false, '/Roles/1'],
    ],
  ],
  ['workflows', { Stages: ['s1'] }, [['stages', 's1', 'Stage s1 does not exist', false, '/Stages/0']]],
  [
    'profiles',
    { Profiles: ['p1-prof'] },
    [['profiles', 'p1-prof', 'Profile p1-prof (at 0) does not exist', false, '/Profiles/0']],
  ],
  [
    'stages',
    { BootEnv: 'b1', Tasks: ['t1', 'action:x'], Profiles: ['p1'], Templates: [{ Contents: 'x' }, { ID: 'i1' }] },
    [
      ['bootenvs', 'b1', 'Bootenv b1 does not exist', false, '/BootEnv'],
      ['tasks', 't1', 'Task t1 (at 0) does not exist', false, '/Tasks/0'],
      ['profiles', 'p1', 'Profile p1 (at 0) does not exist', false, '/Profiles/0'],
      ['templates', 'i1', 'Templates[1]: No common template for i1', false, '/Templates/1/ID'],
    ],
  ],
  [
    'tasks',
    { Prerequisites: ['t1'], ExtraRoles: ['r1'] },
    [
      ['tasks', 't1', 'Task t1 does not exist', false, '/Prerequisites/0'],
      ['roles', 'r1', 'Role r1 does not exist', false, '/ExtraRoles/0'],
    ],
  ],
  [
    'machines',
    {
      Stage: 's1',
      BootEnv: 'b1',
      Workflow: 'w1',
      Profiles: ['p1'],
      Tasks: ['stage:s2', 'bootenv:b2', 't1', 'action:x'],
    },
    [
      ['stages', 's1', 'Stage s1 does not exist', true, '/Stage'],
      ['bootenvs', 'b1', 'Bootenv b1 does not exist', true, '/BootEnv'],
      ['workflows', 'w1', 'Workflow w1 does not exist', true, '/Workflow'],
      ['profiles', 'p1', 'Profile p1 (at 0) does not exist', true, '/Profiles/0'],
      ['stages', 's2', 'Stage s2 (at 0) does not exist', false, '/Tasks/0'],
      ['bootenvs', 'b2', 'Bootenv b2 (at 1) does not exist', false, '/Tasks/1'],
      ['tasks', 't1', 'Task t1 (at 2) does not exist', false, '/Tasks/2'],
    ],
  ],
  ['reservations', { Subnet: 's1' }, [['subnets', 's1', 'Subnet s1 does not exist', false, '/Subnet']]],
  ['machines', {}, []],
  ['roles', {}, []],
];

test.each(rows)('%s %j names what should exist', (prefix, body, expected) => {
  const found = references(MODELS[prefix], decode(MODELS[prefix], body));
  expect(found.map(({ kind, key, message, hard, pointer }) => [kind, key, message, hard, pointer])).toEqual(expected);
});

test('what was named before does not refuse a write any more, what is named anew does', () => {
  const machine = (body: object) => decode(MODELS.machines, body);
  const before = machine({ Stage: 's1', Profiles: ['p1'] });
  const found = references(MODELS.machines, machine({ Stage: 's1', Profiles: ['p2', 'p1'] }), before);
  expect(found.map(({ key, hard }) => [key, hard])).toEqual([
    ['s1', false],
    ['p2', true],
    ['p1', false],
  ]);
});
