import { expect, test } from 'vitest';
import { maskAddress } from './secret-names.ts';

test.each([
  ['https://hooks.example.com/a/b', 'https://hooks.example.com/a/b'],
  ['https://u:p@h/', 'https://***@h/'],
  ['http://u:p@ss@h:1/x', 'http://***@h:1/x'],
  ['https://{{.Param "a/b"}}:p@h/{{.Name}}', 'https://***@h/{{.Name}}'],
  ['https://h/@here?x=a@b', 'https://h/@here?x=a@b'],
  ['https://h/?token=abc&x=1&api_key=d#e', 'https://h/?token=***&x=1&api_key=***#e'],
  ['https://h/?sig=abc&key=k&monkey=m', 'https://h/?sig=***&key=***&monkey=m'],
  ['/path?access-token=x', '/path?access-token=***'],
  ['', ''],
])('the address %j is shown as %j', (address, shown) => {
  expect(maskAddress(address)).toBe(shown);
});

test('a hostile address takes no time worth speaking of', () => {
  for (const part of ['//', '{{', '{', '//{{', '?', 'token', '&pass']) {
    const address = `http://${part.repeat(300_000)}`;
    expect(maskAddress(address)).toBe(address);
  }
});
