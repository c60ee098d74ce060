import { once } from 'node:events';
import { createServer } from 'node:net';
import { basename } from 'node:path';
import { expect, it } from 'vitest';
import { portHolder } from './port-holder.ts';

it('names who listens on a port, where the system tells, and nobody on a free one', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const told = `process ${process.pid} (${basename(process.execPath)})`;
  expect(portHolder(port)).toBe(process.platform === 'linux' ? told : undefined);
  server.close();
  await once(server, 'close');
  expect(portHolder(port)).toBeUndefined();
});
