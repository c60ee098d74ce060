import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../kit/json.ts';
import { readPluginConfig } from './config.ts';
import { certificate } from './testing/certificate.ts';
import { validatePlugin } from './validate.ts';

const callbacks = (callback: Json): JsonObject => ({ 'callback/callbacks': { go: callback } });
const auths = (auth: Json): JsonObject => ({ 'callback/auths': { a: auth } });
const read = (callback: JsonObject) => readPluginConfig('p', callbacks(callback)).config.callbacks.get('go');

describe('defaults', () => {
  test('of a callback', () => {
    expect(read({ Url: 'http://h/' })).toEqual({
      action: 'go',
      url: 'http://h/',
      method: 'POST',
      headers: {},
      retry: 0,
      timeoutSeconds: 7200,
      delaySeconds: 0,
      noBody: false,
      rawBody: false,
      response: 'base64',
      auths: [],
      aggregate: false,
      decode: false,
      excludeParams: [],
    });
  });

  test('of a json-token', () => {
    const { config } = readPluginConfig('p', auths({ AuthType: 'json-token', Url: 'http://h/', TokenField: 't' }));
    expect(config.auths.get('a')).toMatchObject({ method: 'GET', retry: 0, timeoutSeconds: 7200, delaySeconds: 0 });
  });

  test('of an instance without any params', () => {
    const { config, errors } = readPluginConfig('callback', {});
    expect(errors).toEqual([]);
    expect(config).toMatchObject({ proxy: '', ca: '', insecure: false, extras: { breaker: undefined } });
  });

  test('Timeout 0 stands for the default, null for not given', () => {
    expect(read({ Url: 'http://h/', Timeout: 0, Retry: null, Method: '' })).toMatchObject({
      timeoutSeconds: 7200,
      retry: 0,
      method: 'POST',
    });
  });
});

test('Auth comes before Auths', () => {
  expect(read({ Url: 'http://h/', Auth: 'x', Auths: ['y', 'z'] })?.auths).toEqual(['x', 'y', 'z']);
});

describe('warnings', () => {
  test.each([
    [{ Retries: 3 }, 3, 'Retries is read as Retry; rename it'],
    [{ Retries: 3, Retry: 2 }, 2, 'Retries is ignored, because Retry is given as well'],
    [{ retry: 4 }, 4, 'retry is read as Retry'],
    [{ Retrys: 4 }, 0, 'Retrys is not a field of this structure and has no effect'],
    [
      { JsonResponse: true, StringResponse: true },
      0,
      'JsonResponse and StringResponse are both true; JsonResponse wins',
    ],
  ])('for %j', (fields, retry, warning) => {
    const { config, errors, warnings } = readPluginConfig('p', callbacks({ Url: 'http://h/', ...fields }));
    expect(errors).toEqual([]);
    expect(config.callbacks.get('go')?.retry).toBe(retry);
    expect(warnings).toEqual([`callback/callbacks: go: ${warning}`]);
  });
});

describe('errors', () => {
  const errorsOf = (params: JsonObject): readonly string[] => validatePlugin('p', params).errors;

  test.each<[JsonObject, string]>([
    [callbacks({}), 'callback/callbacks: go: Url is missing'],
    [callbacks({ Url: null }), 'callback/callbacks: go: Url is missing'],
    [callbacks({ Url: 7 }), 'callback/callbacks: go: Url must be text, not a number'],
    [callbacks({ Url: 'ftp://u:secret@h/' }), 'callback/callbacks: go: Url: not an http or https address'],
    [callbacks({ Url: 'http://h/{{.Name' }), 'callback/callbacks: go: Url: template: tmp:1: unclosed action'],
    [callbacks({ Url: 'http://h/', Retry: -1 }), 'callback/callbacks: go: Retry must not be negative, it is -1'],
    [callbacks({ Url: 'http://h/', Retries: -1 }), 'callback/callbacks: go: Retries must not be negative, it is -1'],
    [callbacks({ Url: 'http://h/', Timeout: -5 }), 'callback/callbacks: go: Timeout must not be negative, it is -5'],
    [
      callbacks({ Url: 'http://h/', Timeout: 9_007_199_254_740_991 }),
      'callback/callbacks: go: Timeout must not be more than 9223372036, it is 9007199254740991',
    ],
    [
      callbacks({ Url: 'http://h/', Delay: 9_223_372_037 }),
      'callback/callbacks: go: Delay must not be more than 9223372036, it is 9223372037',
    ],
    [callbacks({ Url: 'http://h/', Delay: 1.5 }), 'callback/callbacks: go: Delay must be a whole number, it is 1.5'],
    [callbacks({ Url: 'http://h/', Retry: '3' }), 'callback/callbacks: go: Retry must be a whole number, not text'],
    [callbacks({ Url: 'http://h/', NoBody: 'yes' }), 'callback/callbacks: go: NoBody must be true or false, not text'],
    [
      callbacks({ Url: 'http://h/', Headers: { A: 1 } }),
      'callback/callbacks: go: Headers: A must be text, not a number',
    ],
    [
      callbacks({ Url: 'http://h/', Headers: { A: 'x\r\nB: y' } }),
      'callback/callbacks: go: Headers: the value of A has characters a header cannot carry',
    ],
    [callbacks({ Url: 'http://h/', Auths: 'a' }), 'callback/callbacks: go: Auths must be a list of texts, not text'],
    [callbacks({ Url: 'http://h/', Auth: 'x' }), 'callback/callbacks: go: auth "x" is not in callback/auths'],
    [
      callbacks({ Url: 'http://h/{{.GetAuthString "x"}}' }),
      'callback/callbacks: go: Url: GetAuthString "x" is not in callback/auths',
    ],
    [
      callbacks({ Url: 'http://h/', Method: 'CONNECT' }),
      'callback/callbacks: go: Method CONNECT cannot be used for a callback',
    ],
    [callbacks('text'), 'callback/callbacks: go must be an object, not text'],
    [{ 'callback/callbacks': [] }, 'callback/callbacks must be a map of named structures, not a list'],
    [auths({ AuthType: 'digest' }), 'callback/auths: a: AuthType "digest" is unknown; use basic, json-token or exec'],
    [auths({}), 'callback/auths: a: AuthType is missing'],
    [auths({ AuthType: 'basic' }), 'callback/auths: a: Username is missing'],
    [auths({ AuthType: 'exec' }), 'callback/auths: a: Path is missing'],
    [auths({ AuthType: 'json-token', TokenField: 't' }), 'callback/auths: a: Url is missing'],
    [auths({ AuthType: 'json-token', Url: 'http://h/' }), 'callback/auths: a: TokenField is missing'],
    [
      { 'callback/data-override': null },
      'callback/data-override is an argument of the action, it cannot be configured',
    ],
    [{ 'callback/proxy': 'host:3128' }, 'Params: callback/proxy must look like http://host:port'],
    ...['http://host:3128/path', 'http://host:3128/?a=b', 'http://host:3128#a'].map((proxy): [JsonObject, string] => [
      { 'callback/proxy': proxy },
      'Params: callback/proxy must look like http://host:port, without a path, query or fragment',
    ]),
    [{ 'callback/insecure': 1 }, 'Params: callback/insecure must be true or false, not a number'],
    [{ 'callback/ca': 'no certificate' }, 'callback/ca is not a PEM certificate'],
    [
      { 'callback/delivery': { Breaker: { Failures: 0 } } },
      'callback/delivery: Breaker: Failures must not be less than 1, it is 0',
    ],
    [
      { 'callback/delivery': { Egress: { Deny: ['10.0.0.0/40'] } } },
      'callback/delivery: Egress: Deny: "10.0.0.0/40" is neither a host nor a network',
    ],
    [
      { 'callback/delivery': { Signing: { Secrets: ['x'] } } },
      'callback/delivery: Signing: Secrets: entry 1 must start with whsec_',
    ],
  ])('%j', (params, error) => {
    expect(errorsOf(params)).toEqual([error]);
  });

  test('all of them are named at once', () => {
    expect(errorsOf({ ...callbacks({ Retry: -1, Delay: 'x' }), ...auths({}) })).toHaveLength(4);
  });

  test('an auth that cannot be read is not called missing where it is used', () => {
    expect(errorsOf({ ...callbacks({ Url: 'http://h/', Auth: 'a' }), ...auths({ AuthType: 'x' }) })).toHaveLength(1);
  });

  test.each([
    ['one that is broken off', '-----BEGIN CERTIFICATE-----\n', 'callback/ca is not a PEM certificate'],
    ['beginnings without end', '-----BEGIN CERTIFICATE-----\n'.repeat(70_000), 'callback/ca is not a PEM certificate'],
    ['too much', ' '.repeat(2 * 1024 * 1024 + 1), 'callback/ca is longer than 2097152 characters'],
  ])('of certificates: %s', (_name, ca, error) => {
    const start = performance.now();
    expect(errorsOf({ 'callback/ca': ca })).toEqual([error]);
    expect(performance.now() - start).toBeLessThan(500);
  });

  test('a real certificate is fine', async () => {
    const { cert } = await certificate('h');
    expect(errorsOf({ 'callback/ca': `${cert}\n${cert}` })).toEqual([]);
  });
});

test('whatever is stored, reading it never throws', () => {
  const keys = fc.constantFrom(
    'Url',
    'Retry',
    'Headers',
    'Auths',
    'AuthType',
    'Path',
    'Breaker',
    'Egress',
    'Allow',
    'Signing',
    'Secrets',
    '__proto__',
  );
  const value = fc.letrec((tie) => ({
    value: fc.oneof(
      fc.constantFrom(
        'basic',
        'exec',
        'json-token',
        'http://h/{{',
        '{{.GetAuthString "a"}}',
        'whsec_AAAA',
        '10.0.0.0/8',
      ),
      fc.jsonValue({ maxDepth: 1 }),
      fc.dictionary(keys, tie('value'), { maxKeys: 5 }),
    ),
  })).value;
  const params = fc.dictionary(
    fc.constantFrom('callback/callbacks', 'callback/auths', 'callback/delivery', 'callback/ca', 'callback/proxy'),
    value,
  );
  fc.assert(
    fc.property(params, (given) => {
      const { errors } = validatePlugin('p', given as JsonObject);
      expect(errors.every((error) => typeof error === 'string')).toBe(true);
    }),
    { seed: 7, numRuns: 300 },
  );
});
