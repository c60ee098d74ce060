/** Opened secure values go out and stand nowhere else: in no record, no message, no redirected request. */
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../kit/json.ts';
import { go, MACHINE } from './testing/harness.ts';
import { answer } from './testing/receiver.ts';
import { closeAfterEach, refusal, room, service } from './testing/rooms.ts';

closeAfterEach();

describe('no record holds', () => {
  const secure = {
    'the/pin': 48151623,
    'the/pem': '-----BEGIN KEY-----\nMIIabcDEF"x<\'&\nZZZtop=\n-----END KEY-----\n',
    'the/mix': "s3cr et$x/é'",
    'the/map': { user: 'it: "s #a', n: [9876543] },
  };
  const leaks = /48151623|4\.815|MIIabc|ZZZtop|s3cr|"s #a|9876543|9\.876/;

  const templates = [
    ...['ParamAsJSON', 'ParamAsYAML', 'Param'].flatMap((name) =>
      Object.keys(secure).map((param) => `{{.${name} "${param}"}}`),
    ),
    ...['html', 'js', 'urlquery', 'printf "%q"'].flatMap((name) =>
      ['the/pem', 'the/mix'].map((param) => `x{{${name} (.Param "${param}")}}x`),
    ),
    '{"a": {{.ParamAsJSON "the/pem"}},\n  "b": {{.ParamAsJSON "the/pin"}}}',
  ];

  test.each<[string, JsonObject, string | undefined]>([
    ['the machine', { Decode: true }, undefined],
    ['its parts in the address', { Decode: true, NoBody: true }, undefined],
    ...templates.map((template) => [template, {}, template] satisfies [string, JsonObject, string]),
    ...templates.map(
      (template) => [`raw ${template}`, { RawBody: true }, template] satisfies [string, JsonObject, string],
    ),
  ])('%s', async (_name, fields, override) => {
    const h = await room({ secure });
    const r = await service((request, response) => answer(500, request.body)(request, response, 0));
    const path = 'NoBody' in fields ? '/{{.Param "the/mix"}}/{{.Param "the/pin"}}?a={{.Param "the/mix"}}' : '';
    await h.plugin(go({ Url: `${r.url}${path}`, ...fields }));
    await refusal(h.run('go', override === undefined ? {} : { 'callback/data-override': override }));
    expect(r.requests[0]?.url + (r.requests[0]?.body ?? '')).toMatch(leaks);
    const [attempt] = h.rows()[0]?.Attempts ?? [];
    expect(JSON.stringify([attempt?.Request?.Url, attempt?.Request?.Body, attempt?.Response?.Body])).not.toMatch(leaks);
  });
});

test('what a dry run says about a template that fails holds none', async () => {
  const h = await room({ secure: { 'the/pin': 'xq-4711' } });
  await h.plugin(go({ Url: 'http://h/{{.ParseUrl "host" (print "http://a b/" (.Param "the/pin"))}}', Decode: true }));
  const call = { machine: MACHINE, plugin: 'callback', action: 'go', mayDecode: true };
  const { messages } = await refusal(h.callbacks.dryRun(call));
  expect(messages[0]).toMatch(/^Err: .*http:\/\/a b\/\*\*\*/);
});

test.each([
  ['with the body', 307],
  ['without it', 302],
])('a redirect to another origin is not followed %s', async (_name, status) => {
  const h = await room({ secure: { 'the/pin': 'xq-4711' } });
  const other = await service(answer(200));
  const r = await service(answer(status, '', { location: `${other.url}/x` }));
  const callbacks = { bare: { Url: r.url }, opened: { Url: r.url, Decode: true } };
  await h.plugin({ 'callback/callbacks': callbacks });
  await h.run('bare');
  expect((await refusal(h.run('opened'))).messages[0]).toContain('carries credentials');
  expect(other.requests).toHaveLength(1);
});

test('an address with one in it is left for another origin, where nothing of it goes', async () => {
  const h = await room({ secure: { 'the/pin': 'xq-4711' } });
  const other = await service(answer(200));
  const r = await service(answer(302, '', { location: `${other.url}/x` }));
  await h.plugin(go({ Url: `${r.url}/{{.Param "the/pin"}}`, Decode: true, NoBody: true }));
  await h.run('go');
  expect(JSON.stringify(other.requests)).not.toContain('xq-4711');
});
