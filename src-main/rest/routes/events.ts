/** Events over plain HTTP: publishing one (wire-format.md 7.5), and the resumable stream that the screens read. */
import Type from 'typebox';
import type { Access } from '../../access/index.ts';
import { RIGHTS_TYPES } from '../../contract/claims/index.ts';
import { Problem } from '../../contract/errors.ts';
import { Event } from '../../contract/models/index.ts';
import { type Call, isEventId, type ObjectEvent, type Objects, shownActor } from '../../objects/index.ts';
import { jsonObject } from '../body.ts';
import { mayReceive } from '../event-delivery.ts';
import { holdCall } from '../held-call.ts';
import { type Context, noContent, one, type Route } from '../http.ts';

const HEARTBEAT_MS = 15_000;
/** A reader further behind than this is cut off; it resumes from its last id. */
const MAX_QUEUED = 10_000;

function eventBody(context: Context): { Type: string; Action: string; Key: string; Object: unknown } {
  const body = jsonObject(context.json(), 'An event');
  const fields = new Map(Object.entries(body).map(([name, value]) => [name.toLowerCase(), value]));
  const text = (name: string): string => {
    const value = fields.get(name) ?? '';
    if (typeof value !== 'string') throw new Problem('malformed-json', `${name} of an event must be text`);
    return value;
  };
  return { Type: text('type'), Action: text('action'), Key: text('key'), Object: fields.get('object') ?? null };
}

interface EventDeps {
  readonly objects: Objects;
  readonly access: Access;
  /** Aborted when streams must end. */
  readonly ended: AbortSignal;
}

const frame = (call: Call, event: ObjectEvent): string =>
  `id: ${event.id}\ndata: ${JSON.stringify({ seq: event.seq, Time: event.time, Type: event.type, Action: event.action, Key: event.key, Principal: shownActor(call, event.principal) })}\n\n`;

/** Server-sent events without objects: who may read the object reads it, and a stream cannot grow with what it shows. */
async function* stream(
  { objects, access, ended }: EventDeps,
  context: Context,
  from: string | undefined,
): AsyncIterable<string> {
  const queue: ObjectEvent[] = [];
  let wake: (() => void) | undefined;
  let overrun = false;
  let dead = false;
  let generation = 0;
  const held = holdCall(context.call, { access, generation: () => generation, clock: () => performance.now() });
  const renewed = (): boolean => {
    dead = !held.renewed();
    return !dead;
  };
  const unsubscribe = objects.events.subscribe((event) => {
    // Rights change with these: what comes next is for whoever may see it now.
    if (RIGHTS_TYPES.has(event.type)) generation++;
    if (!renewed()) return wake?.();
    if (!mayReceive(objects, held.call, event)) return;
    if (queue.length >= MAX_QUEUED) overrun = true;
    else queue.push(event);
    wake?.();
  });
  const stop = (): void => wake?.();
  ended.addEventListener('abort', stop);
  try {
    const missed = from === undefined ? [] : objects.events.since(from);
    // Too far back, or from another life of the server: everything read so far may be old.
    if (missed === undefined) yield 'event: reset\ndata: {}\n\n';
    else for (const event of missed) if (mayReceive(objects, held.call, event)) yield frame(held.call, event);
    yield ': connected\n\n';
    while (!ended.aborted && !overrun && renewed()) {
      const next = queue.splice(0);
      if (next.length > 0) yield next.map((event) => frame(held.call, event)).join('');
      else {
        let timer: NodeJS.Timeout | undefined;
        const woken = await new Promise<boolean>((resolve) => {
          wake = () => resolve(true);
          timer = setTimeout(() => resolve(false), HEARTBEAT_MS);
        });
        clearTimeout(timer);
        wake = undefined;
        if (!woken) yield ': alive\n\n';
      }
    }
    if (dead) yield 'event: ended\ndata: {"reason":"the token is not valid any more"}\n\n';
    if (overrun) yield 'event: reset\ndata: {"reason":"too slow"}\n\n';
  } finally {
    unsubscribe();
    ended.removeEventListener('abort', stop);
  }
}

export function eventRoutes(deps: EventDeps): Route[] {
  const { objects } = deps;
  return [
    {
      method: 'POST',
      path: '/events',
      tag: 'events',
      summary: 'Publishes an event',
      body: Event,
      answer: { status: 204 },
      handler(context) {
        const { Type: type, Action: action, Key: key, Object: object } = eventBody(context);
        objects.guard.demand(context.call, [{ scope: 'events', action: 'post', specific: '*' }]);
        objects.events.publish({ type, action, key, object, principal: context.call.actor.name });
        return noContent;
      },
    },
    {
      method: 'GET',
      path: '/x/events',
      tag: 'events',
      summary: 'Server-sent events, resumable by id; `reset` means: read everything anew',
      query: { from: 'Id of the last event seen' },
      answer: { status: 200, schema: Type.String(), type: 'text/event-stream' },
      handler(context) {
        const from = one(context.query['from']) ?? one(context.headers['last-event-id']);
        if (from !== undefined && !isEventId(from))
          throw new Problem('bad-request', `from is not the id of an event: ${from}`);
        return {
          status: 200,
          contentType: 'text/event-stream',
          headers: { 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' },
          chunks: stream(deps, context, from),
        };
      },
    },
  ];
}
