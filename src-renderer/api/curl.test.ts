import { expect, it } from 'vitest';
import type { Json } from '../../src-main/kit/json.ts';
import { curlOf } from './curl.ts';

it('puts the token in a variable and quotes the body for a shell', () => {
  expect(curlOf('https://h:1', { method: 'POST', path: '/api/v3/users', body: { Name: "o'neil" } })).toBe(
    `curl --insecure -X POST -H "Authorization: Bearer $RS_TOKEN" -H 'Content-Type: application/json' -d '{"Name":"o'\\''neil"}' 'https://h:1/api/v3/users'`,
  );
});

it.each<[string, Json]>([
  ['a password', { Password: 'hush', Deep: { Secret: 'hush' } }],
  ['a token to be inspected', { token: 'hush' }],
  ['a patch of a secret', [{ op: 'replace', path: '/Secret', value: 'hush' }]],
  ['a patch that adds a secret further down', [{ op: 'add', path: '/Params/a', value: { api_key: 'hush' } }]],
])('never copies %s', (_, body) => {
  expect(curlOf('https://h', { method: 'PUT', path: '/p', body })).not.toContain('hush');
});

it('copies what is no secret', () => {
  const body = [{ op: 'replace', path: '/Description', value: 'plain' }];
  expect(curlOf('https://h', { method: 'PATCH', path: '/p', body })).toContain(JSON.stringify(body));
});
