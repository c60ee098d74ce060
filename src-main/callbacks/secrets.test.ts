/** Opened secure values go out and stand nowhere else: in no record and no message. */
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
