import { once } from 'node:events';
import { createServer } from 'node:net';
import { basename } from 'node:path';
import { expect, it } from 'vitest';
import { portHolder } from './port-holder.ts';

it.runIf(process.platform === 'linux')(
  'names the process and program that listen on a port, and nobody on a free one',
  async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    expect(portHolder(port)).toBe(`process ${process.pid} (${basename(process.execPath)})`);
    server.close();
    await once(server, 'close');
    expect(portHolder(port)).toBeUndefined();
  },
);
