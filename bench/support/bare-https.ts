/**
 * The peer of `bench -- api`: a bare node:https server that answers given bytes, and a bare websocket broadcaster. Runs as a child process;
 * told by messages what to answer under which path.
 */
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';
import { loadCertificate } from '../../src-main/host/index.ts';

interface Reply {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
}

const replies = new Map<string, { bytes: Buffer; headers: Record<string, string> }>();
const certificate = await loadCertificate(process.argv[2] ?? '.', '127.0.0.1', Date.now());
let broadcast = Buffer.alloc(0);
const server = createServer(
  { key: certificate.key, cert: certificate.cert, ALPNProtocols: ['http/1.1'] },
  (request, response) => {
    // Asked over HTTP like ours: what is compared is the fan-out, not who asks.
    if (request.method === 'POST') {
      request.resume();
      request.on('end', () => {
        for (const socket of sockets.clients) socket.send(broadcast, { binary: false });
        response.writeHead(204);
        response.end();
      });
      return;
    }
    const reply = replies.get(request.url ?? '');
    if (!reply) {
      response.writeHead(404);
      response.end();
      return;
    }
    response.writeHead(200, reply.headers);
    response.end(reply.bytes);
  },
);
const sockets = new WebSocketServer({ server, perMessageDeflate: false });
sockets.on('connection', (socket) => socket.on('error', () => socket.terminate()));

process.on('message', (message: { reply?: Reply; broadcast?: string }) => {
  if (message.reply) {
    const { path, bytes, headers } = message.reply;
    replies.set(path, {
      bytes: Buffer.from(bytes),
      headers: { ...headers, 'content-length': String(bytes.byteLength) },
    });
    process.send?.({ done: true });
  }
  if (message.broadcast) {
    broadcast = Buffer.from(message.broadcast);
    process.send?.({ done: true });
  }
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
