import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';

export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

export interface Receiver {
  readonly url: string;
  readonly port: number;
  readonly requests: Received[];
  /** Resolves when at least `count` requests have come in. */
  received(count: number): Promise<void>;
  close(): Promise<void>;
}

export type Reply = (request: Received, response: ServerResponse, index: number) => void;

/** Status and body; a body that is no text goes out as JSON. */
export function answer(status: number, body: unknown = 'ok', headers: Record<string, string> = {}): Reply {
  return (_request, response) => {
    response.writeHead(status, headers);
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
}

/** One reply after the other; the last one again and again. */
export function inTurn(...replies: Reply[]): Reply {
  return (request, response, index) => replies[Math.min(index, replies.length - 1)]?.(request, response, index);
}

/** A receiver on a free port of the loopback. */
export async function receiver(reply: Reply, tls?: { key: string; cert: string }): Promise<Receiver> {
  const requests: Received[] = [];
  const waiting = new Set<() => void>();
  const listener: RequestListener = (message: IncomingMessage, response) => {
    const chunks: Buffer[] = [];
    message.on('data', (chunk: Buffer) => chunks.push(chunk));
    message.on('end', () => {
      const received = {
        method: message.method ?? '',
        url: message.url ?? '',
        headers: message.headers,
        body: Buffer.concat(chunks).toString('utf8'),
      };
      requests.push(received);
      for (const look of waiting) look();
      reply(received, response, requests.length - 1);
    });
  };
  const server: Server = tls ? createTlsServer(tls, listener) : createServer(listener);
  await listening(server);
  const { port } = server.address() as AddressInfo;
  return {
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    port,
    requests,
    received: (count) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (requests.length < count) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A server that does with each connection what it is told; no HTTP of its own. */
export async function rawServer(onSocket: (socket: Socket) => void): Promise<Pick<Receiver, 'url' | 'port' | 'close'>> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    onSocket(socket);
  });
  await listening(server);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** A port nobody listens on. */
export async function unusedPort(): Promise<number> {
  const server = await rawServer(() => undefined);
  await server.close();
  return server.port;
}

function listening(server: { listen(port: number, host: string, done: () => void): unknown }): Promise<void> {
  return new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
}
