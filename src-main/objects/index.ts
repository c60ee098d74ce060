/**
 * The only door from an actor to the store.
 *
 *   lookup      finds an object *for* an action: tenant, then license, then claims
 *   guard       the decision and its sentence
 *   write       create, patch, replace, remove: judge, then commit in one unit
 *   unit        one transaction; every write is filled, validated, flagged, followed by its reactions
 *   view        the writable store above the read-only content layers
 *   list        filters, sorts and pages in slices
 *   params      the params sub-resource: aggregation, typing, sealing
 *   contents    content layers as records of their own
 *   live        objects that are measured or built in, not stored
 *   blobs       files and isos: plain files below one directory each
 *   log-lines   the last log lines in their wire form
 *   events      what listeners hear of all that
 *
 * Nobody here knows a status code of HTTP but through the error catalogue, and nobody sends anything.
 */

export type { Stored } from '../store/index.ts';
export { accessState, deriveContext } from './access-views.ts';
export type { ActionDeps, ActionProvider, AvailableAction, Invocation } from './actions.ts';
export { runAction } from './actions.ts';
export { AUDIT_QUERY, type AuditEntry, auditCsv, readAuditQuery } from './audit.ts';
export { type Blobs, createBlobs, FILES, ISOS } from './blobs.ts';
export { hostInterfaces } from './interfaces.ts';
export type { Layer, Pack } from './layers.ts';
export type { ListResult } from './list.ts';
export type { LiveSource, LiveSources } from './live.ts';
export { createLogLines, type LogLine, type LogLines } from './log-lines.ts';
export type { Granted } from './lookup.ts';
export { notFound } from './lookup.ts';
export { createObjects, type Objects, type ObjectsOptions } from './objects.ts';
export type { ParamReading } from './params.ts';
export { preferenceOf } from './preferences.ts';
export { joinRules } from './rules.ts';
export { SECURE_KEYS } from './secure-keys.ts';
export { DEFAULT_PASSWORD, DEFAULT_USER, plantSeeds } from './seeds.ts';
export { masked, type Shape, shaped, shapedBytes } from './shapes.ts';
export type { Call, Demand, ObjectEvent, RuleContext, RuleTable, TypeRules, Unit, View } from './types.ts';
export { isStoreIndex } from './view.ts';
export { leaveTenants } from './write.ts';
