/** wire-format.md 4.6, 4.7, 4.9, 16: what is not removed while an object of the writable layer names it. */
import { afterAll, beforeAll, describe } from 'vitest';
import type { JsonObject } from '../../kit/json.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { follow, make, type Row } from './rows.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

interface Case {
  readonly what: readonly [prefix: string, body: JsonObject];
  readonly holder: readonly [prefix: string, noun: string, body: JsonObject];
  readonly free?: boolean;
}

const Uuid = '3e7031fe-3062-45f1-835c-92541bc9cbd3';
const CASES: readonly Case[] = [
  { what: ['profiles', {}], holder: ['machines', 'Machine', { Uuid, Profiles: ['used'] }] },
  { what: ['profiles', {}], holder: ['stages', 'Stage', { Profiles: ['used'] }] },
  { what: ['profiles', {}], holder: ['profiles', 'Profile', { Profiles: ['used'] }] },
  { what: ['profiles', { Profiles: ['used'] }], holder: ['tasks', 'Task', {}], free: true },
  { what: ['params', {}], holder: ['tasks', 'Task', { RequiredParams: ['used'], OptionalParams: ['used'] }] },
  { what: ['params', {}], holder: ['stages', 'Stage', { OptionalParams: ['used'] }] },
  { what: ['params', {}], holder: ['bootenvs', 'BootEnv', { RequiredParams: ['used'] }] },
  { what: ['params', {}], holder: ['profiles', 'Profile', { Params: { used: 1 } }], free: true },
  {
    what: ['templates', { ID: 'used', Contents: '' }],
    holder: ['tasks', 'Task', { Templates: [{ Name: 'one.sh', Path: 'a', ID: 'used' }] }],
  },
  { what: ['bootenvs', {}], holder: ['stages', 'Stage', { BootEnv: 'used' }] },
  { what: ['tasks', {}], holder: ['stages', 'Stage', { Tasks: ['used'] }], free: true },
  { what: ['stages', {}], holder: ['workflows', 'Workflow', { Stages: ['used'] }], free: true },
  { what: ['workflows', {}], holder: ['machines', 'Machine', { Uuid, Workflow: 'used' }], free: true },
];

describe.each(CASES)('one of $what.0 that one of $holder.0 names', ({ what, holder, free }) => {
  const [prefix, body] = what;
  const [holders, noun, naming] = holder;
  const held = 'Uuid' in naming ? Uuid : 'holder';
  beforeAll(async () => {
    await make(server, prefix, prefix === 'templates' ? body : { Name: 'used', ...body });
    await make(server, holders, { Name: 'holder', ...naming });
  });
  const removal: Row = { name: 'is removed', ask: `DELETE ${prefix}/used`, status: 200 };
  const refusal: Row = {
    name: 'is not removed',
    ask: `DELETE ${prefix}/used`,
    status: 409,
    error: `StillInUseError: ${prefix}/used: In use by ${noun} ${held}`,
  };
  const end: Row = { name: 'the end of who names it', ask: `DELETE ${holders}/${held}`, status: 200 };
  follow(() => server, free ? [removal, end] : [refusal, end, removal]);
});
