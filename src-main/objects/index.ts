/**
 * The only door from an actor to the store.
 *
 * Changing and reading
 *   lookup, guard        finds an object *for* an action: tenant, then license, then claims; the decision and its sentence
 *   write                create, patch, replace, remove: judge, then commit in one unit
 *   unit, committer      one transaction; every write is filled, validated, flagged, followed by its reactions; the way into the store
 *   rules, revalidate    what single types add; who changes between available and not when something comes or goes
 *   view, layers         the writable store above the read-only content layers; basic-layer, seeds: what is there from the start
 *   list, list-cache     filters, sorts and pages; answers of recent lists, kept up to date; slices: nobody waits for a long one
 *   shapes               objects as they leave the server, as bytes
 *
 * Params
 *   params, aggregate    the sub-resource; where a value comes from
 *   param-rules, schema-check      typing
 *   secure-params, secure-keys     sealing
 *
 * Other things
 *   actions              plugin actions: which there are, and running one
 *   contents, content-access       content layers as records of their own; what a pack must not get around
 *   live, interfaces, preferences  objects that are measured or built in
 *   blobs, blob-path     files and isos: plain files below one directory each
 *   audit, log-lines, events       what was done, said and heard
 *   access-views         the world as access explanations need it
 *
 * Nobody here knows a status code of HTTP but through the error catalogue, and nobody sends anything.
 */

export type { Stored } from '../store/index.ts';
export { accessState, deriveContext } from './access-views.ts';
export type { ActionDeps, ActionProvider } from './actions.ts';
export { runAction } from './actions.ts';
export { AUDIT_QUERY, type AuditEntry, auditCsvHead, auditCsvLines, readAuditQuery, shownActor } from './audit.ts';
export { type Blobs, createBlobs, FILES, hasBlob, ISOS } from './blobs.ts';
export { originOf } from './committer.ts';
export { isEventId } from './events.ts';
export type { DenialReason } from './guard.ts';
export { hostInterfaces } from './interfaces.ts';
export type { Layer } from './layers.ts';
export { createLogLines, type LogLines, showsLine } from './log-lines.ts';
export { notFound } from './lookup.ts';
export { createObjects, type Objects } from './objects.ts';
export { preferenceOf } from './preferences.ts';
export { joinRules } from './rules.ts';
export { SECURE_KEYS } from './secure-keys.ts';
export { DEFAULT_PASSWORD, DEFAULT_USER, plantSeeds } from './seeds.ts';
export { masked, type Shape, shaped, shapedBytes } from './shapes.ts';
export { startSlice } from './slices.ts';
export type {
  Call,
  Demand,
  ObjectEvent,
  RevisionMatch,
  RuleContext,
  RuleTable,
  TypeRules,
  Unit,
  View,
} from './types.ts';
export { isStoreIndex } from './view.ts';
export { leaveTenants } from './write.ts';
