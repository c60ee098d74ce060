import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../testing/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  await server.call('POST', 'machines', { body: { Name: 'web01.lab', Address: '10.0.0.255', Params: { rack: 'r7' } } });
});
afterAll(() => server.stop());

const render = (Template: string, Machine = 'Name:web01.lab') =>
  server.call('POST', 'x/callbacks/render', { body: { Machine, Template } });

describe('rendering a text for a machine', () => {
  it.each([
    ['http://h/{{.Machine.Name}}/{{.Param "rack"}}', 'http://h/web01.lab/r7'],
    ['{{.ShortName}} {{.HexAddress}}', 'web01 0A0000FF'],
    ['plain', 'plain'],
    ['{{.GetAuthString "any"}}', '***'],
  ])('%s', async (text, output) => {
    const answer = await render(text);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ Output: output });
  });

  it('says where a template is wrong', async () => {
    const answer = await render('a\n{{.Nope');
    expect(answer.status).toBe(422);
    expect((answer.body as { Messages: string[] }).Messages[0]).toContain('template: tmp:2:');
  });

  it('stops a template that would not end', async () => {
    const answer = await render('{{define "t"}}{{template "t"}}{{template "t"}}{{end}}{{template "t"}}');
    expect(answer.status).toBe(422);
  });

  it('makes no tokens', async () => {
    const answer = await render('{{.GenerateToken}}');
    expect(answer.status).toBe(422);
  });

  it('knows no machine that the caller may not get', async () => {
    expect((await render('x', 'nobody')).status).toBe(404);
    await server.call('POST', 'users', { body: { Name: 'guest' } });
    const guest = await server.tokenOf('guest');
    const answer = await server.call('POST', 'x/callbacks/render', {
      as: guest,
      body: { Machine: 'Name:web01.lab', Template: 'x' },
    });
    expect(answer.status).toBe(403);
  });
});
