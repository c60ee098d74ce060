/**
 * `GET /api/v3/ws` (wire-format.md 7): clients register for events and are told of each; every register and deregister is
 * acknowledged, since clients block on that. A client that does not read is cut off with a reason instead of being
 * buffered for without end.
 */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Access, Actor } from '../access/index.ts';
import { API_PREFIX } from '../contract/api-prefix.ts';
import { Problem } from '../contract/errors.ts';
import { newUuid } from '../kit/ids.ts';
import type { Log } from '../kit/log.ts';
import { type ObjectEvent, type Objects, type Shape, shownActor } from '../objects/index.ts';
import { authenticate } from './authenticate.ts';
import { mayReceive, wireEvent } from './event-delivery.ts';
import { type HeldCall, holdCall } from './held-call.ts';
import { parseMessage, parseRegistration, type Registration, registrationMatches } from './registrations.ts';

/** A client further behind than this is cut off. */
const MAX_BUFFERED = 8 * 1024 * 1024;
const MAX_REGISTRATIONS = 10_000;
const MAX_MESSAGE = 64 * 1024;
const PING_EVERY_MS = 30_000;
/** A client that is told goodbye gets so long to hear it. */
const GRACE_MS = 2_000;
/** Events are JSON text, also when they are sent from bytes. */
const TEXT_FRAME = { binary: false } as const;
/** Close codes of RFC 6455 and, from 4000 on, our own. */
const GOING_AWAY = 1001;
const TOO_MUCH = 1008;
const TRY_AGAIN_LATER = 1013;
const NOT_ANY_MORE = 4403;

interface EventSockets {
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Tells every client goodbye. */
  close(): void;
}

interface EventSocketOptions {
  readonly objects: Objects;
  readonly access: Access;
  readonly log: Log;
  readonly clock: () => number;
  /** Changes with every change of users, roles, tenants and preferences. */
  readonly generation: () => number;
  readonly shapeOf: (headers: IncomingMessage['headers']) => Shape;
  readonly maxBuffered?: number;
}

interface Client {
  readonly socket: WebSocket;
  /** A listener hears what its user may hear now. */
  readonly held: HeldCall;
  readonly shape: Shape;
  readonly registrations: Map<string, Registration>;
  alive: boolean;
}

function refuse(socket: Duplex, status: number, text: string): void {
  const authenticateHeader = status === 401 || status === 403 ? 'WWW-Authenticate: dr-provision\r\n' : '';
  socket.end(`HTTP/1.1 ${status} ${text}\r\n${authenticateHeader}Connection: close\r\nContent-Length: 0\r\n\r\n`);
}

export function createEventSockets(options: EventSocketOptions): EventSockets {
  const { objects, access, log, clock } = options;
  const maxBuffered = options.maxBuffered ?? MAX_BUFFERED;
  const server = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE, perMessageDeflate: false });
  const clients = new Set<Client>();

  const deliver = (client: Client, text: string | Buffer): void => {
    if (client.socket.readyState !== client.socket.OPEN) return;
    if (client.socket.bufferedAmount > maxBuffered) {
      log.warn(
        { client: client.held.call.actor.name, buffered: client.socket.bufferedAmount },
        'event client is too slow, cut off',
      );
      // No more is sent to it, so what it holds cannot grow; the reason gets through if it reads on within the grace.
      clients.delete(client);
      client.socket.close(TRY_AGAIN_LATER, 'Too slow: events were not read; connect again and read the objects anew');
      setTimeout(() => client.socket.terminate(), GRACE_MS).unref();
      return;
    }
    client.socket.send(text, TEXT_FRAME);
  };

  const onEvent = (event: ObjectEvent): void => {
    // One text per shape and name of who did it, one decision per actor, made when the first client needs them.
    const texts = new Map<string, Buffer>();
    const decided = new Map<Actor, boolean>();
    for (const client of clients) {
      if (client.registrations.size === 0) continue;
      let wanted = false;
      for (const registration of client.registrations.values()) {
        if (registrationMatches(registration, event)) {
          wanted = true;
          break;
        }
      }
      if (!wanted) continue;
      if (!client.held.renewed()) {
        client.socket.close(NOT_ANY_MORE, 'The token is not valid any more');
        continue;
      }
      const { actor } = client.held.call;
      let allowed = decided.get(actor);
      if (allowed === undefined) {
        allowed = mayReceive(objects, client.held.call, event);
        decided.set(actor, allowed);
      }
      if (!allowed) continue;
      const principal = shownActor(client.held.call, event.principal);
      const form = `${client.shape} ${principal}`;
      let text = texts.get(form);
      if (!text) {
        text = Buffer.from(JSON.stringify(wireEvent(event, client.shape, principal)));
        texts.set(form, text);
      }
      deliver(client, text);
    }
  };
  const unsubscribe = objects.events.subscribe(onEvent);

  const acknowledge = (client: Client, verb: string, text: string): void =>
    deliver(
      client,
      JSON.stringify({
        Time: new Date(clock()).toISOString(),
        Type: 'websocket',
        Action: verb,
        Key: text,
        Object: null,
      }),
    );

  const onMessage = (client: Client, text: string): void => {
    const message = parseMessage(text);
    if (!message) {
      log.debug({ client: client.held.call.actor.name }, 'websocket message ignored');
      return;
    }
    if (message.verb === 'deregister') client.registrations.delete(message.text);
    else {
      const registration = parseRegistration(message.text);
      if (registration && !client.registrations.has(message.text) && client.registrations.size >= MAX_REGISTRATIONS) {
        // An acknowledgement would promise events that never come.
        client.registrations.clear();
        client.socket.close(TOO_MUCH, `More than ${MAX_REGISTRATIONS} registrations on one connection`);
        return;
      }
      if (registration) client.registrations.set(message.text, registration);
    }
    acknowledge(client, message.verb, message.text);
  };

  const connect = (actor: Actor, request: IncomingMessage, socket: WebSocket): void => {
    const client: Client = {
      socket,
      held: holdCall({ actor, requestId: newUuid(), url: request.url ?? '', force: false }, options),
      shape: options.shapeOf(request.headers),
      registrations: new Map(),
      alive: true,
    };
    clients.add(client);
    socket.on('message', (data) => onMessage(client, String(data)));
    socket.on('pong', () => {
      client.alive = true;
    });
    socket.on('error', () => socket.terminate());
    socket.on('close', () => clients.delete(client));
  };

  const pinging = setInterval(() => {
    for (const client of clients) {
      if (!client.alive) client.socket.terminate();
      client.alive = false;
      client.socket.ping();
    }
  }, PING_EVERY_MS);
  pinging.unref();

  const identify = async (request: IncomingMessage): Promise<Actor> => {
    const queryToken = new URL(request.url ?? '', 'https://localhost').searchParams.get('token') ?? undefined;
    return authenticate(access, request.headers.authorization, queryToken, request.socket.remoteAddress ?? '', {
      requestId: newUuid(),
      url: request.url ?? '',
    });
  };

  return {
    upgrade(request, socket, head) {
      socket.on('error', () => socket.destroy());
      if ((request.url ?? '').split('?', 1)[0] !== `${API_PREFIX}/ws`) return refuse(socket, 404, 'Not Found');
      identify(request).then(
        (actor) => server.handleUpgrade(request, socket, head, (opened) => connect(actor, request, opened)),
        (error: unknown) => refuse(socket, error instanceof Problem ? error.status : 500, 'Refused'),
      );
    },
    close() {
      unsubscribe();
      clearInterval(pinging);
      for (const { socket } of clients) {
        socket.close(GOING_AWAY, 'The service is stopping');
        // A client that does not answer the goodbye must not hold the stop up.
        setTimeout(() => socket.terminate(), 500).unref();
      }
      server.close();
    },
  };
}
