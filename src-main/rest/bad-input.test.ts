import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestRequest, type TestServer } from '../testing/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

interface Row {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly request?: TestRequest;
  readonly status: number;
  /** Parts of the error body. */
  readonly body?: Record<string, unknown>;
  readonly says?: string;
}

const rows: readonly Row[] = [
  {
    name: 'malformed JSON',
    method: 'POST',
    path: 'machines',
    request: { raw: '{"Name":' },
    status: 400,
    body: { Type: 'POST', Model: '', Key: '', Reason: 'validation' },
  },
  {
    name: 'a JSON body that is no object',
    method: 'POST',
    path: 'machines',
    request: { raw: '[1]' },
    status: 400,
    body: { Type: 'POST' },
    says: 'json: cannot unmarshal array',
  },
  {
    name: 'a field of the wrong type',
    method: 'POST',
    path: 'machines',
    request: { body: { Name: 7 } },
    status: 400,
    says: 'json: cannot unmarshal number into Go struct field Machine.Name of type string',
  },
  {
    name: 'a member that would reach a prototype',
    method: 'POST',
    path: 'machines',
    request: { raw: '{"Name":"m1","Params":{"__proto__":{"x":1}}}' },
    status: 400,
    says: '__proto__',
  },
  {
    name: 'a body nested without end',
    method: 'POST',
    path: 'machines',
    request: { raw: `{"Name":"m1","Params":${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}}` },
    status: 400,
    says: 'nested',
  },
  {
    name: 'a content type that is no JSON',
    method: 'POST',
    path: 'machines',
    request: { raw: 'x', headers: { 'content-type': 'text/plain' } },
    status: 400,
    says: 'Invalid content type: text/plain',
  },
  {
    name: 'an unknown route',
    method: 'GET',
    path: 'nope',
    status: 404,
    body: { Type: 'GET', Key: '/api/v3/nope', Messages: ['No route'] },
  },
  {
    name: 'a wrong method',
    method: 'DELETE',
    path: 'machines',
    status: 405,
    body: { Type: 'DELETE', Key: '/api/v3/machines', Messages: ['Method not allowed'] },
  },
  {
    name: 'a body over 10 MB',
    method: 'POST',
    path: 'machines',
    request: { raw: `{"Name":"${'x'.repeat(10 * 1024 * 1024)}"}` },
    status: 413,
    body: { Code: 413 },
  },
  {
    name: 'an empty name',
    method: 'POST',
    path: 'profiles',
    request: { body: {} },
    status: 400,
    body: { Type: 'CREATE', Model: 'profiles', Key: '', Messages: ['Empty key not allowed'] },
  },
  {
    name: 'a bad name',
    method: 'POST',
    path: 'profiles',
    request: { body: { Name: '-x' } },
    status: 422,
    body: { Type: 'ValidationError', Model: 'profiles', Key: '-x', Messages: ['Invalid Name `-x`'] },
  },
  {
    name: 'a patch that is no patch',
    method: 'PATCH',
    path: 'profiles/global',
    request: { body: { op: 'add' } },
    status: 400,
    says: 'A JSON patch is an array',
  },
  {
    name: 'a patch that would change the key',
    method: 'PATCH',
    path: 'profiles/global',
    request: { body: [{ op: 'replace', path: '/Name', value: 'other' }] },
    status: 422,
    says: 'Key change from global to other',
  },
  {
    name: 'a failed test',
    method: 'PATCH',
    path: 'profiles/global',
    request: { body: [{ op: 'test', path: '/Name', value: 'x' }] },
    status: 409,
    body: {
      Type: 'PATCH',
      Messages: ['Patch error at line 0: Test op failed.', 'Patch line: {"op":"test","path":"/Name","value":"x"}'],
    },
  },
  {
    name: 'a stale If-Match',
    method: 'PATCH',
    path: 'profiles/global',
    request: { headers: { 'if-match': '"999999"' }, body: [{ op: 'add', path: '/Description', value: 'x' }] },
    status: 412,
    body: { Reason: 'conflict' },
  },
  {
    name: 'a bad filter',
    method: 'GET',
    path: 'machines?Nope=1',
    status: 406,
    body: { Type: 'GET', Model: 'machines', Messages: ['Filter not found: Nope'] },
  },
  {
    name: 'a negative limit',
    method: 'GET',
    path: 'machines?limit=-1',
    status: 406,
    body: { Messages: ['Limit cannot be negative'] },
  },
  {
    name: 'an absent object',
    method: 'GET',
    path: 'machines/john',
    status: 404,
    body: { Type: 'GET', Model: 'machines', Key: 'john', Messages: ['Not Found'] },
  },
  {
    name: 'an unknown preference',
    method: 'POST',
    path: 'prefs',
    request: { body: { greg: 'x' } },
    status: 400,
    body: { Type: 'POST', Model: 'prefs', Messages: ['Unknown Preference greg'] },
  },
  {
    name: 'a bad preference',
    method: 'POST',
    path: 'prefs',
    request: { body: { knownTokenTimeout: 'illegal' } },
    status: 400,
    says: 'knownTokenTimeout: strconv.Atoi: parsing "illegal": invalid syntax',
  },
  {
    name: 'a lifetime that is no number',
    method: 'GET',
    path: 'users/rocketskates/token?ttl=cow',
    status: 400,
    body: {
      Type: 'GET',
      Model: 'users',
      Key: 'rocketskates',
      Messages: ['strconv.ParseInt: parsing "cow": invalid syntax'],
    },
  },
  { name: 'a lifetime of nothing', method: 'GET', path: 'users/rocketskates/token?ttl=0', status: 400 },
  {
    name: 'an empty password',
    method: 'PUT',
    path: 'users/rocketskates/password',
    request: { body: { Password: '' } },
    status: 400,
    says: 'Password must be text and not empty',
  },
  {
    name: 'a role with an unknown scope',
    method: 'POST',
    path: 'roles',
    request: { body: { Name: 'odd', Claims: [{ scope: 'bar', action: 'list', specific: '*' }] } },
    status: 422,
    body: { Messages: ["No such scope 'bar'"] },
  },
  {
    name: 'a tenant with an unknown member type',
    method: 'POST',
    path: 'tenants',
    request: { body: { Name: 'odd', Members: { bar: [] } } },
    status: 422,
    body: { Messages: ['Invalid '] },
  },
  {
    name: 'removal of the default administrator',
    method: 'DELETE',
    path: 'users/rocketskates',
    status: 409,
    body: { Type: 'StillInUseError' },
    says: 'superuser',
  },
  {
    name: 'removal of the superuser role',
    method: 'DELETE',
    path: 'roles/superuser',
    status: 409,
    body: { Type: 'StillInUseError', Model: 'roles', Key: 'superuser', Messages: ['In use by User rocketskates'] },
  },
  {
    name: 'an index of a type without',
    method: 'GET',
    path: 'indexes/interfaces',
    status: 404,
    body: { Type: 'GET', Model: '', Messages: ['index get: not found: interfaces'] },
  },
];

describe('what the API refuses', () => {
  it.each(rows)('$name: $status', async ({ method, path, request, status, body, says }) => {
    const answer = await server.call(method, path, request);
    expect(answer.status).toBe(status);
    expect(answer.headers['content-type']).toContain('application/json');
    expect(answer.body).toMatchObject({ Code: status, ...body });
    expect((answer.body as { RequestId: string }).RequestId).toBe(answer.headers['x-request-id']);
    if (says) expect((answer.body as { Messages: string[] }).Messages.join('\n')).toContain(says);
  });
});

describe('credentials', () => {
  const denials: readonly [string, TestRequest, number][] = [
    ['none', { as: null }, 401],
    ['an unknown scheme', { as: null, headers: { authorization: 'Digest x' } }, 401],
    ['a header of three parts', { as: null, headers: { authorization: 'Bearer a b' } }, 401],
    ['bad base64', { as: null, headers: { authorization: 'Basic !!!' } }, 401],
    ['no colon', { as: null, headers: { authorization: `Basic ${Buffer.from('nocolon').toString('base64')}` } }, 401],
    ['a wrong password', { as: 'rocketskates:wrong' }, 403],
    ['an unknown user', { as: 'nobody:wrong' }, 403],
  ];
  it.each(denials)('refuses %s with an empty body', async (_name, request, status) => {
    const answer = await server.call('GET', 'users', request);
    expect(answer.status).toBe(status);
    expect(answer.text).toBe('');
    expect(answer.headers['www-authenticate']).toBe('dr-provision');
  });

  it('says that a token is dead', async () => {
    const answer = await server.call('GET', 'users', { as: 'not-a-token' });
    expect(answer.status).toBe(403);
    expect(answer.body).toMatchObject({ Type: 'AUTH', Code: 403, Reason: 'token' });
  });

  it('takes a token from the query', async () => {
    const token = await server.tokenOf('rocketskates');
    const answer = await server.call('GET', `users?token=${token}`, { as: null });
    expect(answer.status).toBe(200);
  });
});
