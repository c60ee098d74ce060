/**
 * The one HTTPS listener. It hands `/api/v3` to the service while there is one and everything else to the host's own pages, and it
 * knows every open request, so that a stop can wait for them and then end.
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ErrorBody } from '../contract/errors.ts';
import type { Certificate } from './certificate.ts';
import { StartError } from './errors.ts';
import { portHolder } from './port-holder.ts';

export interface Handler {
  request(request: IncomingMessage, response: ServerResponse): void;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
}

export interface Listener {
  readonly port: number;
  readonly url: string;
  readonly server: Server;
  /** Stops accepting, waits for open requests up to `deadlineMs`, then cuts what is left. */
  close(deadlineMs: number): Promise<void>;
}

export const PREFERRED_PORT = 8092;
const IDLE_LOOK_MS = 25;

export interface ListenOptions {
  readonly address: string;
  /** undefined: 8092, or any free port when that is taken. 0: any free port. */
  readonly port: number | undefined;
  readonly certificate: Certificate;
  readonly handler: Handler;
}

function tryListen(server: Server, port: number, address: string): Promise<NodeJS.ErrnoException | undefined> {
  return new Promise((resolve) => {
    const failed = (error: NodeJS.ErrnoException): void => {
      server.removeListener('listening', listening);
      resolve(error);
    };
    const listening = (): void => {
      server.removeListener('error', failed);
      resolve(undefined);
    };
    server.once('error', failed);
    server.once('listening', listening);
    server.listen({ port, host: address });
  });
}

function listenError(port: number, address: string, error: NodeJS.ErrnoException): StartError {
  switch (error.code) {
    case 'EADDRINUSE': {
      const holder = portHolder(port);
      return new StartError(
        `Port ${port} is taken${holder ? ` by ${holder}` : ''}.`,
        'Stop its holder, or choose another port with --port (0 takes a free one).',
        error,
      );
    }
    case 'EACCES':
      return new StartError(
        `Port ${port} may not be opened by this user.`,
        'Choose a port above 1023 with --port.',
        error,
      );
    case 'EADDRNOTAVAIL':
      return new StartError(
        `This machine has no address ${address}.`,
        'Choose one of its addresses with --address.',
        error,
      );
    default:
      return new StartError(
        `Port ${port} on ${address} cannot be opened: ${error.message}.`,
        'Check --port and --address.',
        error,
      );
  }
}

/** Status and sentence for a request that the HTTP parser gave up on. */
function unreadable(code: string | undefined): readonly [status: number, name: string, sentence: string] {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return [431, 'Request Header Fields Too Large', 'The address and the headers are longer than 16 KiB'];
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return [408, 'Request Timeout', 'The request did not come to its end in time'];
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return [413, 'Content Too Large', 'The chunk extensions are too large'];
    default:
      return [
        400,
        'Bad Request',
        'This is no HTTP request; in an address, every byte but plain ASCII needs its %XX form',
      ];
  }
}

/** Says what is wrong, in the shape of every other error, unless an answer is on its way already; then the connection ends. */
function answerUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  const answering = (socket as { _httpMessage?: { headersSent?: boolean } | null })._httpMessage?.headersSent === true;
  // A peer that went away in the middle of its request waits for nothing.
  const isGone = error.code === 'ECONNRESET' || error.code === 'HPE_INVALID_EOF_STATE' || !socket.writable;
  if (isGone || answering) {
    socket.destroy();
    return;
  }
  const [status, name, sentence] = unreadable(error.code);
  // No errorBody: such a request has neither method nor id, and its problem is in no catalogue.
  const said: ErrorBody = { Model: '', Key: '', Type: 'HTTP', Messages: [sentence], Code: status };
  const body = JSON.stringify(said);
  socket.end(
    `HTTP/1.1 ${status} ${name}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    // What the peer goes on sending is not read.
    () => socket.destroy(),
  );
}

/** Opens the listener. Throws StartError that names the port and its holder. */
export async function listen({ address, port, certificate, handler }: ListenOptions): Promise<Listener> {
  const server = createServer({
    key: certificate.key,
    cert: certificate.cert,
    minVersion: 'TLSv1.2',
    ALPNProtocols: ['http/1.1'],
  });
  // Headers within 20 s, a whole request within 5 minutes (uploads); idle connections are kept for a minute.
  server.headersTimeout = 20_000;
  server.requestTimeout = 300_000;
  server.keepAliveTimeout = 60_000;
  server.on('request', (request, response) => handler.request(request, response));
  server.on('upgrade', (request, socket, head) => handler.upgrade(request, socket, head));
  // A client that speaks no TLS or aborts must not end the process.
  server.on('tlsClientError', (_error, socket) => socket.destroy());
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => answerUnreadable(error, socket));

  let failure = await tryListen(server, port ?? PREFERRED_PORT, address);
  if (failure?.code === 'EADDRINUSE' && port === undefined) failure = await tryListen(server, 0, address);
  if (failure) throw listenError(port ?? PREFERRED_PORT, address, failure);
  server.on('error', () => undefined);

  const actual = (server.address() as AddressInfo).port;
  const host = address.includes(':') ? `[${address}]` : address;
  return {
    port: actual,
    url: `https://${host}:${actual}`,
    server,
    close(deadlineMs) {
      return new Promise((resolve) => {
        const cut = setTimeout(() => server.closeAllConnections(), deadlineMs);
        // A connection that was busy at first falls idle when it was answered: look again until none is left.
        const idle = setInterval(() => server.closeIdleConnections(), IDLE_LOOK_MS);
        server.close(() => {
          clearTimeout(cut);
          clearInterval(idle);
          resolve();
        });
        server.closeIdleConnections();
      });
    },
  };
}
