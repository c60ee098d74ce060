/**
 * The models of the API: one file per object type with its schema, its keys and indexes, and its own rules.
 *
 *   fields, blocks      builders; a field says everything about itself (Fill value, shape, hidden or not)
 *   <type>.ts           schema, static type, definition
 *   registry            MODELS: prefix -> definition
 *   plan                a schema compiled for walking
 *   shape               fill, present, slim      whole-document   the `test` of a patch on the whole object
 *   checks              structural errors and references       schemas   for the OpenAPI document
 *
 * Everything here is pure and runs on both sides. Which type is which: `const machine: Machine = ...`; the generic rooms
 * handle JsonObject and a ModelDefinition.
 */
export { Claim, DhcpOption, TemplateInfo } from './blocks.ts';
export { BootEnv } from './bootenv.ts';
export { normalize, references, structuralErrors } from './checks.ts';
export { Content, ContentMeta, ContentSummary } from './content.ts';
export {
  type Comparable,
  FilterError,
  type IndexDefinition,
  type ModelDefinition,
  PREFIXES,
  type Prefix,
  type Reference,
  type ScopeRegistry,
  type StructuralContext,
} from './definition.ts';
export { BlobInfo, ErrorAnswer, Event, LogLine, SecureData } from './event.ts';
export { NIL_UUID, type Shape, ZERO_TIME } from './fields.ts';
export { Info, TokenAnswer } from './info.ts';
export { Interface } from './interface.ts';
export { EXIT_STATES, type ExitState, JOB_STATES, Job, JobAction, type JobState } from './job.ts';
export { Lease } from './lease.ts';
export { License, LicenseBundle } from './license.ts';
export { Machine } from './machine.ts';
export { Param } from './param.ts';
export { Plugin } from './plugin.ts';
export { Action, AvailableAction, PluginProvider, PluginProviderUpload } from './plugin-provider.ts';
export { Preference, SECRET_PREFERENCES } from './preference.ts';
export { Profile } from './profile.ts';
export { isPrefix, MODELS, modelOf, publishedIndexes, SECRET_ADDRESSES, SECRET_FIELDS } from './registry.ts';
export { Reservation } from './reservation.ts';
export { Role } from './role.ts';
export { answerSchema, type JsonSchema, requestSchema } from './schemas.ts';
export { blank, fill, fillSchema, present, presentSchema, type Slim, slim } from './shape.ts';
export { Stage } from './stage.ts';
export { Subnet } from './subnet.ts';
export { Task } from './task.ts';
export { Template } from './template.ts';
export { Tenant } from './tenant.ts';
export { NewPassword, User } from './user.ts';
export { wholeDocumentTestEquals } from './whole-document.ts';
export { Workflow } from './workflow.ts';
