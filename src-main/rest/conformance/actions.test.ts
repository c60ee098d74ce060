/** wire-format.md 6, 4.10, 12.3, 11.3 (TestPluginCli): plugins, their provider, and actions. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../kit/json.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { follow, make, V3_CLIENT } from './rows.ts';

let server: TestServer;
let receiver: Server;
let receiverUrl = '';
beforeAll(async () => {
  receiver = createServer((request, response) => {
    if (request.url === '/odd') response.statusCode = 600;
    request.resume().on('end', () => response.end(JSON.stringify({ done: true })));
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  receiverUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  server = await startTestServer();
  await make(server, 'machines', { Name: 'bob' });
  await make(server, 'roles', {
    Name: 'runner',
    Claims: [{ scope: 'machines', action: 'get,actions,action:other', specific: '*' }],
  });
  await make(server, 'users', { Name: 'u-runner', Roles: ['runner'] });
});
afterAll(async () => {
  await server.stop();
  receiver.close();
});

describe('the built-in provider', () => {
  follow(
    () => server,
    [
      {
        name: 'is listed with all its fields',
        ask: 'GET plugin_providers',
        send: { headers: V3_CLIENT },
        status: 200,
        check(answer) {
          const [one] = answer.body as JsonObject[];
          expect(one).toMatchObject({
            Name: 'callback',
            PluginVersion: expect.any(Number),
            HasPublish: expect.any(Boolean),
            Documentation: expect.any(String),
            Content: expect.any(String),
            RequiredParams: expect.any(Array),
            OptionalParams: expect.any(Array),
            Version: expect.any(String),
            Meta: expect.any(Object),
          });
          expect(one?.['AvailableActions']).toContainEqual(
            expect.objectContaining({
              Provider: 'callback',
              Model: 'machines',
              Command: 'callbackDo',
              RequiredParams: ['callback/action'],
            }),
          );
        },
      },
      { name: 'one by one', ask: 'GET plugin_providers/callback', status: 200, body: { Name: 'callback' } },
      { name: 'HEAD', ask: 'HEAD plugin_providers/callback', status: 200 },
      {
        name: 'cannot be replaced',
        ask: 'POST plugin_providers/callback',
        send: { raw: 'x', headers: { 'content-type': 'application/octet-stream' } },
        status: 422,
        error:
          'ValidationError: plugin_providers/callback: Plugin provider callback is built in and cannot be replaced',
      },
      {
        name: 'cannot be removed',
        ask: 'DELETE plugin_providers/callback',
        status: 404,
        error: 'DELETE: readonly: callback',
      },
      {
        name: 'brings its content as a layer',
        ask: 'GET contents/callback',
        status: 200,
        body: { meta: { Type: 'plugin', Writable: false, Overwritable: false } },
      },
      { name: 'which stays', ask: 'DELETE contents/callback', status: 409 },
      {
        name: 'its instance is there by itself',
        ask: 'GET plugins/callback',
        status: 200,
        body: { Provider: 'callback' },
      },
    ],
  );
});

describe('plugins', () => {
  follow(
    () => server,
    [
      {
        name: 'two faults at once',
        ask: 'POST plugins',
        send: { body: { Name: '{asdgasdg' } },
        status: 422,
        error: 'ValidationError: plugins/{asdgasdg:\n  Invalid Name `{asdgasdg`\n  Invalid Provider ``',
      },
      {
        name: 'no name',
        ask: 'POST plugins',
        send: { body: { Provider: 'callback' } },
        status: 400,
        error: 'CREATE: plugins: Empty key not allowed',
      },
      {
        name: 'a missing provider is told, not refused',
        ask: 'POST plugins',
        send: { body: { Name: 'i-woman', Provider: 'incrementer' } },
        status: 201,
        body: { PluginErrors: ['Missing Plugin Provider: incrementer'] },
      },
      { name: 'found by index', ask: 'GET plugins/Name:i-woman', status: 200 },
      { name: 'and key', ask: 'GET plugins/Key:i-woman', status: 200 },
      {
        name: 'by provider',
        ask: 'GET plugins?Provider=incrementer',
        status: 200,
        check: (a) => expect((a.body as JsonObject[]).map((one) => one['Name'])).toEqual(['i-woman']),
      },
      { name: 'removed', ask: 'DELETE plugins/i-woman', status: 200 },
    ],
  );
});

describe('actions', () => {
  const bob = 'machines/Name:bob';
  follow(
    () => server,
    [
      {
        name: 'callbacks are configured',
        ask: 'POST plugins/callback/params/callback/callbacks',
        send: () => ({ body: { done: { Url: receiverUrl, JsonResponse: true }, odd: { Url: `${receiverUrl}odd` } } }),
        status: 200,
      },
      {
        name: 'a command whose params are missing is not offered',
        ask: `GET ${bob}/actions`,
        status: 200,
        exactly: [],
      },
      {
        name: 'asked for by name it says what is missing',
        ask: `GET ${bob}/actions/callbackDo`,
        status: 400,
        error: `GET: ${bob}: Action callbackDo Missing Parameter callback/action`,
      },
      {
        name: 'running it too',
        ask: `POST ${bob}/actions/callbackDo`,
        send: { body: {} },
        status: 400,
        error: `INVOKE: ${bob}: Action callbackDo Missing Parameter callback/action`,
      },
      {
        name: 'an empty body is none',
        ask: `POST ${bob}/actions/callbackDo`,
        send: { raw: '', headers: { 'content-type': 'application/json' } },
        status: 400,
        error: /^INVOKE: /,
      },
      {
        name: 'an unknown command',
        ask: `GET ${bob}/actions/command`,
        status: 404,
        error: `GET: ${bob}: command: Not Found`,
      },
      {
        name: 'run',
        ask: `POST ${bob}/actions/command`,
        send: { body: {} },
        status: 400,
        error: `INVOKE: ${bob}: Action command on machines: Not Found`,
      },
      {
        name: 'of a plugin that has none',
        ask: `POST ${bob}/actions/callbackDo?plugin=nope`,
        send: { body: { 'callback/action': 'done' } },
        status: 400,
        error: `INVOKE: ${bob}: Action callbackDo on machines for plugin nope not found`,
      },
      {
        name: 'a param of the wrong type',
        ask: `POST ${bob}/actions/callbackDo`,
        send: { body: { 'callback/action': 5 } },
        status: 400,
        error: `INVOKE: ${bob}: Action callbackDo: Invalid Parameter: callback/action: : (root): Invalid type. Expected: string, given: integer`,
      },
      {
        name: 'with the param it answers bare JSON',
        ask: `POST ${bob}/actions/callbackDo`,
        send: { body: { 'callback/action': 'done', 'unknown/extra': true } },
        status: 200,
        exactly: { done: true },
      },
      {
        name: 'a service that answers with a status HTTP does not know is a bad gateway',
        ask: `POST ${bob}/actions/callbackDo`,
        send: { body: { 'callback/action': 'odd' } },
        status: 502,
        error: 'rpc: plugin/callback:\n  Callback API returned 600\n  out: {"done":true}',
      },
      {
        name: 'the param may be on the machine',
        ask: `POST ${bob}/params/callback/action`,
        send: { body: 'done' },
        status: 200,
      },
      {
        name: 'then the command is offered',
        ask: `GET ${bob}/actions`,
        status: 200,
        check: (a) => expect((a.body as JsonObject[]).map((one) => one['Command'])).toEqual(['callbackDo']),
      },
      {
        name: 'by its plugin',
        ask: `GET ${bob}/actions?plugin=callback`,
        status: 200,
        check: (a) => expect(a.body).toHaveLength(1),
      },
      {
        name: 'nor one of its own',
        ask: `GET ${bob}/actions/callbackDo?plugin=nope`,
        status: 404,
        error: 'GET: machines/Name:bob: Action callbackDo on machines for plugin nope not found',
      },
      { name: 'and not by another', ask: `GET ${bob}/actions?plugin=nope`, status: 200, exactly: [] },
      {
        name: 'one',
        ask: `GET ${bob}/actions/callbackDo`,
        status: 200,
        body: { Command: 'callbackDo', Provider: 'callback' },
      },
      {
        name: 'of a machine that is not there',
        ask: 'GET machines/john/actions',
        status: 404,
        error: 'GET: machines/john: Not Found',
      },
      {
        name: 'run on one that is not there',
        ask: 'POST machines/john/actions/callbackDo',
        send: { body: {} },
        status: 404,
        error: 'POST: machines/john: Not Found',
      },
      { name: 'system actions: none', ask: 'GET system/actions', status: 200, exactly: [] },
      {
        name: 'an unknown one',
        ask: 'GET system/actions/command',
        status: 404,
        error: 'GET: profiles/global: command: Not Found',
      },
      {
        name: 'run',
        ask: 'POST system/actions/command',
        send: { body: {} },
        status: 400,
        error: 'INVOKE: system/global: Action command on system: Not Found',
      },
      { name: 'a body that is no map', ask: `POST ${bob}/actions/callbackDo`, send: { body: [1] }, status: 400 },
      {
        name: 'the wrong content type goes first',
        ask: `POST ${bob}/actions/callbackDo`,
        send: { raw: '{}', headers: { 'content-type': 'text/plain' } },
        status: 400,
        error: 'POST: Invalid content type: text/plain',
      },
      {
        name: 'a role for another command lists',
        ask: `GET ${bob}/actions`,
        send: async (s) => ({ as: await s.tokenOf('u-runner') }),
        status: 200,
      },
      {
        name: 'but does not run it',
        ask: `POST ${bob}/actions/callbackDo`,
        send: async (s) => ({ as: await s.tokenOf('u-runner'), body: {} }),
        status: 403,
        error: `AUTH:\n  Cannot access /api/v3/${bob}/actions/callbackDo\n  Requires: machines action:callbackDo Name:bob`,
      },
      { name: 'types without any command', ask: 'GET profiles/global/actions', status: 200, exactly: [] },
    ],
  );

  it('a secure param is not passed along', async () => {
    await make(server, 'params', { Name: 'hidden', Secure: true, Schema: { type: 'string' } });
    const answer = await server.call('POST', `${bob}/actions/callbackDo`, {
      body: { 'callback/action': 'done', hidden: 'x' },
    });
    expect(answer.body).toMatchObject({
      Code: 400,
      Type: 'INVOKE',
      Messages: ['Action callbackDo cannot be passed secure parameter hidden via the API'],
    });
  });

  it.each(['bootenvs/local', 'plugins/callback', 'stages/none', 'users/rocketskates', 'profiles/global'])(
    '%s has the routes',
    async (path) => {
      expect((await server.call('GET', `${path}/actions`)).status).toBe(200);
    },
  );
});
