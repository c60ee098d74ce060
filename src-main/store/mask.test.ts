import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../kit/json.ts';
import { fitsMask, Mask } from './mask.ts';

const mask = new Mask(
  { things: ['/Password', '/Params/a~1auths/*/Data', '/Params/a~1delivery/Signing/Secrets'] },
  { things: ['/Params/a~1proxy', '/Params/a~1auths/*/Url'] },
);
const shown = (value: JsonObject): JsonObject | undefined => mask.pair('things', undefined, value).after;

describe('what the log shows', () => {
  it.each<readonly [string, JsonObject, JsonObject]>([
    ['a secret', { Password: 'x', Name: 'n' }, { Password: '***', Name: 'n' }],
    ['nothing', { Password: '', Name: 'n' }, { Password: '', Name: 'n' }],
    ['another letter case', { password: 'x', PASSWORD: 'y' }, { password: '***', PASSWORD: '***' }],
    [
      'another letter case on the way',
      { params: { 'A/Auths': { one: { data: 'x', Type: 't' } } } },
      { params: { 'A/Auths': { one: { data: '***', Type: 't' } } } },
    ],
    [
      'a list of secrets',
      { Params: { 'a/delivery': { Signing: { Secrets: ['whsec_1', 'whsec_2'] } } } },
      { Params: { 'a/delivery': { Signing: { Secrets: '***' } } } },
    ],
    [
      'a secret where a structure should be',
      { Params: { 'a/auths': { one: 'x' }, 'a/delivery': 'y' } },
      { Params: { 'a/auths': { one: '***' }, 'a/delivery': '***' } },
    ],
    [
      'a password in an address',
      {
        Params: { 'a/proxy': 'http://user:p@ss@proxy:3128/', 'a/auths': { one: { url: 'https://h/p?q=1&Token=x#f' } } },
      },
      {
        Params: { 'a/proxy': 'http://***@proxy:3128/', 'a/auths': { one: { url: 'https://h/p?q=1&Token=***#f' } } },
      },
    ],
    [
      'an address without credentials',
      { Params: { 'a/proxy': 'http://p/a@b' } },
      { Params: { 'a/proxy': 'http://p/a@b' } },
    ],
  ])('%s', (_what, value, expected) => {
    expect(shown(value)).toEqual(expected);
  });

  it('says that a secret is another one, in an address too', () => {
    const before = { Password: 'x', Params: { 'a/proxy': 'http://u:1@p' } };
    const after = { Password: 'y', Params: { 'a/proxy': 'http://u:2@p' } };
    expect(mask.pair('things', before, after).after).toEqual({
      Password: '*** (changed)',
      Params: { 'a/proxy': 'http://***@p (changed)' },
    });
    expect(mask.pair('things', before, before).after).toEqual({
      Password: '***',
      Params: { 'a/proxy': 'http://***@p' },
    });
  });
});

describe('a stored value fits what the log shows', () => {
  it.each<readonly [string, Json | undefined, boolean]>([
    ['***', 'anything', true],
    ['*** (changed)', { any: 1 }, true],
    ['***', undefined, false],
    ['http://***@p', 'http://u:1@p', true],
    ['http://***@p (changed)', 'http://u:1@p', true],
    ['http://***@p/?token=***', 'http://u:1@p/?token=x', true],
    ['http://***@p/?token=***', 'http://u:1@q/?token=x', false],
    ['http://***@p', 'https://u:1@p', false],
    ['a***a', 'a', false],
    ['plain', 'plain', false],
  ])('%j and %j: %s', (log, actual, fits) => {
    expect(fitsMask(log, actual)).toBe(fits);
  });
});
