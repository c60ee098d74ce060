/**
 * Claims: what a role grants, and whether a request is granted. Pure, the same code in server and renderer.
 *
 *   read, parse      JSON to Claim, Claim to sets
 *   registry         which scopes and actions exist, for comparing and showing; never for deciding a request
 *   contains         claim and role containment, in two readings (see there)
 *   allows           one request against one claim, the plain way
 *   compile          the same against all claims of a user, in two look-ups
 *   derive           request to required claims: routes, route-table and needs say how, difference says which fields
 *   events           who may be told of an event
 *   explain          the claim that granted, or the nearest miss
 *   lint             what is odd about claims as written
 *   builtin          the own-user claim, machine tokens, license gate
 *
 * What the server enforces: derive (or the demands of a room) -> `Grants.allows` for every one of them. A token
 * narrowed to roles keeps a role only where `roleCovers` says so, not `roleContains`: that one takes an unknown scope
 * for granted, as clients expect of a comparison.
 */

export { claimAllows, type RequiredClaim } from './allows.ts';
export { discoveryClaims, operationsClaims, ownUserClaims, RIGHTS_TYPES, requiredFeature } from './builtin.ts';
export { type ClaimGroup, compileGrants, type Grants, type ParsedGroup, parseGroup } from './compile.ts';
export { claimContains, claimCovers, roleContains, roleCovers } from './contains.ts';
export { derive } from './derive.ts';
export { deriveChanges, deriveParams, derivePatch, deriveReplace, patchedPointers } from './difference.ts';
export { eventClaims } from './events.ts';
export { explainClaim, type Verdict } from './explain.ts';
export { type Lint, lintClaims } from './lint.ts';
export { type Claim, claimText, SUPERUSER_CLAIM } from './parse.ts';
export { memberOf, readClaim, readClaimOrRole } from './read.ts';
export { infoScopes, knownHere, registryV3, registryV4 } from './registry.ts';
export { routeTable } from './route-table.ts';
export type { DeriveContext, TouchedObject } from './routes.ts';
export { matchRoute } from './routes.ts';
