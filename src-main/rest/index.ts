/**
 * REST: `/api/v3` as a table of rows.
 *
 *   http           words of the room: route, context, answer
 *   server         route table -> Fastify; request id, credentials, errors; route-matcher tells 404 from 405
 *   fast-lane      one object by its key, the request most clients make
 *   authenticate   header or query -> actor
 *   body           JSON bodies, and what is refused at once; byte-range: parts of files
 *   routes/*       rows by subject; handlers unwrap, call one room, wrap
 *   respond        Answer and Problem -> the wire; list-body and list-runs: long lists, in pieces
 *   websocket      events as they happen; registrations says to what, event-delivery who hears what, held-call keeps rights fresh
 *   openapi        the same table as a document
 */
export type { Context } from './http.ts';
export { allRoutes } from './routes/index.ts';
export { createRest, shapeOf } from './server.ts';
export { createEventSockets } from './websocket.ts';
