/**
 * REST: `/api/v3` as a table of rows.
 *
 *   server         route table -> Fastify; request id, credentials, errors
 *   authenticate   header or query -> actor
 *   body           JSON bodies, and what is refused at once
 *   routes/*       rows by subject; handlers unwrap, call one room, wrap
 *   respond        Answer and Problem -> the wire
 *   websocket      events as they happen; event-delivery says who hears what
 *   openapi        the same table as a document
 */
export type { Answer, Context, Method, Route } from './http.ts';
export { allRoutes, type RouteDeps } from './routes/index.ts';
export { API_PREFIX, createRest, type Rest, shapeOf } from './server.ts';
export { createEventSockets, type EventSockets } from './websocket.ts';
