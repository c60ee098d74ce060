/**
 * Access: who is asking, what they may do, and why not.
 *
 *   credentials ──► Access.bearer / basic ──► Actor ──► allows (claims) · sees (tenant)
 *        ▲                 │ reads AccessReader: users, roles, tenants, machines, preferences
 *        └── Access.issueUserToken / issueMachineToken
 *
 *   access          the service: sessions, sign-in, issuing; the one place with state
 *   token-content   what a token says, and the sealed text     issue: what goes into a new one     ttl
 *   resolve         what a token adds up to today; a Secret changed kills it     role-book: roles, compiled once
 *   subject, actor  who acts, spelled out and compiled
 *   sign-in         passwords (scrypt), throttle, nothing told about who exists
 *   machine-rights  what tokens made in templates may do
 *   explain, simulate, lock-out, policy-table   the same decisions, for people to read
 *   license/        features, their expiry, and who signed them
 */

export { requiredFeature } from '../contract/claims/index.ts';
export { type Access, createAccess, type DeadTokenEvent, type RequestOrigin } from './access.ts';
export { type Actor, isOwnUserRoute, SYSTEM_ACTOR, subjectOf, trustedActor } from './actor.ts';
export { explainRequest } from './explain.ts';
export * from './license/index.ts';
export { type AccessState, lockOutProblem } from './lock-out.ts';
export { hashPassword, isPassword, newSecret, verifyPassword } from './passwords.ts';
export type { AccessReader } from './reader.ts';
export type { SignInEvent } from './sign-in.ts';
export { type PastRequest, simulate, withDraft } from './simulate.ts';
export type { Subject } from './subject.ts';
