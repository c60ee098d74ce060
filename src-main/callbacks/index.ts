/**
 * Callbacks: requests to external services because of an action or an event (service.md, Callback structure and on).
 * Dramatis personae, in the order in which a delivery meets them:
 *
 *   outbox        writes the waiting row in the transaction of the event (jobfail)
 *   engine        sees waiting rows (recovery, commits), lanes give them their turn, deliver takes one to its end
 *                 (gate: places on the wire; fifo: the queues of both)
 *   setup         plugin and callback as configured now: config, config-fields, extras, config-book, validate
 *   request       machine, params, override, templates -> the request (render, signing); drafting does it for an attempt
 *   attempt       credentials (auth/), the request on the wire (http/), what may be shown of it (mask)
 *   outcome       pure: delivered, again after a wait, failed (schedule); breaker and egress are pure rules as well
 *   recorder      rows to the store, a commit per turn of the event loop; records holds the row and its steps, claims what
 *                 is on the wire
 *   deliveries    list, replay, cancel; dry-run, metrics, retention
 *   provider/     the plugin provider and its content layer
 *
 * INVARIANT: an attempt is on disk before its request goes out; its outcome is on disk before anybody is told.
 * INVARIANT: at least once over crashes, under one id; within one life of the process nothing is sent twice unasked.
 * Not needed for correctness: the order of waking, the pools, the token cache.
 */
export { type Callbacks, createCallbacks } from './callbacks.ts';
export { systemClock } from './clock.ts';
export type { ReplayRange } from './deliveries.ts';
export { DEFAULT_SETTINGS } from './ports.ts';
export { CALLBACK_ACTION, callbackContent, callbackProvider } from './provider/index.ts';
export { DELIVERIES } from './records.ts';
export { validatePlugin } from './validate.ts';
