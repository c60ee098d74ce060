import { expect, it } from 'vitest';
import { curlOf } from './curl.ts';

it('puts the token in a variable and quotes the body for a shell', () => {
  expect(curlOf('https://h:1', { method: 'POST', path: '/api/v3/users', body: { Name: "o'neil" } })).toBe(
    `curl --insecure -X POST -H "Authorization: Bearer $RS_TOKEN" -H 'Content-Type: application/json' -d '{"Name":"o'\\''neil"}' 'https://h:1/api/v3/users'`,
  );
});

it('never copies a password or a secret', () => {
  const line = curlOf('https://h', { method: 'PUT', path: '/p', body: { Password: 'hush', Deep: { Secret: 'hush' } } });
  expect(line).not.toContain('hush');
});
