/** wire-format.md 3.7, 3.8, 4: what a create completes, refuses, and stores as unavailable. */
import { afterAll, beforeAll, describe } from 'vitest';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { follow } from './rows.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

describe('creating', () => {
  follow(
    () => server,
    [
      {
        name: 'without a body: empty key',
        ask: 'POST stages',
        send: { raw: '', headers: { 'content-type': 'application/json' } },
        status: 400,
        error: 'CREATE: stages: Empty key not allowed',
      },
      {
        name: 'an empty object: empty key',
        ask: 'POST bootenvs',
        send: { body: {} },
        status: 400,
        error: 'CREATE: bootenvs: Empty key not allowed',
      },
      {
        name: 'a machine without a body gets a Uuid, and a fault of its name',
        ask: 'POST machines',
        send: { raw: '', headers: { 'content-type': 'application/json' } },
        status: 422,
        error: /^ValidationError: machines\/[0-9a-f-]{36}: Invalid Name ``$/,
      },
      {
        name: 'field names in any letter case',
        ask: 'POST profiles',
        send: { body: { name: 'lower', DESCRIPTION: 'x', Unknown: 1 } },
        status: 201,
        body: { Name: 'lower', Description: 'x' },
      },
      {
        name: 'null for anything',
        ask: 'POST profiles',
        send: { body: { Name: 'nulls', Description: null, Params: null, Meta: null, Errors: null } },
        status: 201,
        body: { Description: '', Params: {}, Meta: {}, Errors: [] },
      },
      {
        name: 'a content type in odd letters',
        ask: 'POST profiles',
        send: { raw: '{"Name":"odd-type"}', headers: { 'content-type': 'Application/JSON; charset=UTF-8' } },
        status: 201,
      },
      {
        name: 'two faults at once',
        ask: 'POST plugins',
        send: { body: { Name: '{asdgasdg' } },
        status: 422,
        error: 'ValidationError: plugins/{asdgasdg:\n  Invalid Name `{asdgasdg`\n  Invalid Provider ``',
      },
      {
        name: 'a template with a bad id',
        ask: 'POST templates',
        send: { body: { ID: '!x' } },
        status: 422,
        error: 'ValidationError: templates/!x: Invalid ID `!x`',
      },
      {
        name: 'a template that is no template',
        ask: 'POST templates',
        send: { body: { ID: 'bad.tmpl', Contents: '{{ .Machine.Name ' } },
        status: 422,
        error: /^ValidationError: templates\/bad\.tmpl: /,
      },
      {
        name: 'a name of one letter',
        ask: 'POST profiles',
        send: { body: { Name: 'x' } },
        status: 422,
        error: 'ValidationError: profiles/x: Invalid Name `x`',
      },
      {
        name: 'a machine name may start with a digit',
        ask: 'POST machines',
        send: { body: { Name: '1bob' } },
        status: 201,
        body: { Name: '1bob' },
      },
      { name: 'a profile name may not', ask: 'POST profiles', send: { body: { Name: '1bob' } }, status: 422 },
      {
        name: 'a machine name twice',
        ask: 'POST machines',
        send: { body: { Name: '1bob' } },
        status: 409,
        error: /Name 1bob already exists$/,
      },
      { name: 'nor taken later', ask: 'POST machines', send: { body: { Name: '2bob' } }, status: 201 },
      {
        name: 'which says what was tried',
        ask: 'PATCH machines/Name:2bob',
        send: { body: [{ op: 'replace', path: '/Name', value: '1bob' }] },
        status: 409,
        error: /^PATCH: machines\/.*: Name 1bob already exists$/,
      },
      {
        name: 'a stage that is not there',
        ask: 'POST machines',
        send: { body: { Name: 'm2', Stage: 'john2' } },
        status: 422,
        error: /^ValidationError: machines\/[0-9a-f-]{36}: Stage john2 does not exist$/,
      },
      {
        name: 'a bootenv that is not there',
        ask: 'POST machines',
        send: { body: { Name: 'm2', BootEnv: 'john2' } },
        status: 422,
        error: /Bootenv john2 does not exist$/,
      },
      {
        name: 'a profile twice',
        ask: 'POST machines',
        send: { body: { Name: 'm2', Profiles: ['lower', 'nulls', 'lower'] } },
        status: 422,
        error: /Duplicate profile lower: at 0 and 2$/,
      },
      {
        name: 'a workflow with a missing stage is stored, unavailable',
        ask: 'POST workflows',
        send: { body: { Name: 'wf4', Stages: ['missing'] } },
        status: 201,
        body: { Available: false, Errors: ['Stage missing does not exist'] },
      },
      {
        name: 'and mends when the stage comes',
        ask: 'POST stages',
        send: { body: { Name: 'missing' } },
        status: 201,
        body: { RunnerWait: true },
      },
      { name: 'so that it is available', ask: 'GET workflows/wf4', status: 200, body: { Available: true, Errors: [] } },
      { name: 'and breaks when it goes', ask: 'DELETE stages/missing', status: 200 },
      {
        name: 'so that it is not',
        ask: 'GET workflows/wf4',
        status: 200,
        body: { Available: false, Errors: ['Stage missing does not exist'] },
      },
      {
        name: 'a user with a missing role is stored, unavailable',
        ask: 'POST users',
        send: { body: { Name: 'holder', Roles: ['nope'] } },
        status: 201,
        body: { Available: false, Errors: ['Role nope does not exist'] },
      },
      {
        name: 'a task has sane exit codes',
        ask: 'POST tasks',
        send: { body: { Name: 'task-one' } },
        status: 201,
        body: { Meta: { 'feature-flags': 'sane-exit-codes' } },
      },
      {
        name: 'unless it says otherwise',
        ask: 'POST tasks',
        send: { body: { Name: 'task-two', Meta: { 'feature-flags': 'original-exit-codes' } } },
        status: 201,
        body: { Meta: { 'feature-flags': 'original-exit-codes' } },
      },
      {
        name: 'a task with a missing template is unavailable',
        ask: 'POST tasks',
        send: { body: { Name: 'task-three', Templates: [{ Name: 'aa', ID: 'none.tmpl' }] } },
        status: 201,
        body: { Available: false, Errors: ['Templates[0]: No common template for none.tmpl'] },
      },
      {
        name: 'a stage template without a path',
        ask: 'POST stages',
        send: { body: { Name: 'pathless', Templates: [{ Name: 'a', Contents: 'x' }] } },
        status: 422,
        error: /is missing a Path/,
      },
      { name: 'leases are not created', ask: 'POST leases', send: { body: {} }, status: 405 },
      {
        name: 'a role with an empty scope',
        ask: 'POST roles',
        send: { body: { Name: 'r-empty', Claims: [{ scope: '', action: 'list', specific: '*' }] } },
        status: 422,
        error: "ValidationError: roles/r-empty: No such scope ''",
      },
      {
        name: 'a role with an empty action',
        ask: 'POST roles',
        send: { body: { Name: 'r-empty', Claims: [{ scope: 'machines', action: '', specific: '*' }] } },
        status: 422,
        error: "ValidationError: roles/r-empty: No such action ''",
      },
      {
        name: 'a role with an unknown action',
        ask: 'POST roles',
        send: { body: { Name: 'r-empty', Claims: [{ scope: 'machines', action: 'bar', specific: '*' }] } },
        status: 422,
        error: "ValidationError: roles/r-empty: No such action 'bar'",
      },
      {
        name: 'a role with an empty specific is legal',
        ask: 'POST roles',
        send: { body: { Name: 'validButUseless', Claims: [{ scope: '*', action: '*', specific: '' }] } },
        status: 201,
        body: { Claims: [{ scope: '*', action: '*', specific: '' }] },
      },
    ],
  );
});
