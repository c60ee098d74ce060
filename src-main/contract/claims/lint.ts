/** What the roles editor says about claims as they are written. Errors are what saving the role would refuse. */
import { claimContains } from './contains.ts';
import { type Claim, claimText, isSuperuser, parseClaim, UPDATE_PREFIX } from './parse.ts';
import { baseAction, knownHere, type Registry } from './registry.ts';

export type LintCode =
  | 'empty-claim'
  | 'partly-empty'
  | 'list-with-identifiers'
  | 'duplicate'
  | 'contained'
  | 'unknown-scope'
  | 'unknown-action'
  | 'malformed-pointer'
  | 'unused-qualifier'
  | 'star-in-list'
  | 'superuser'
  | 'get-without-list'
  | 'list-without-get';

export interface Lint {
  readonly code: LintCode;
  /** `error`: the server refuses to save it. `warning`: it does not do what it seems to. `hint`: worth a look. */
  readonly severity: 'error' | 'warning' | 'hint';
  readonly claimIndex: number;
  /** The other claim a duplicate or contained one is about. */
  readonly otherIndex?: number;
  readonly message: string;
}

type Finding = Omit<Lint, 'claimIndex'>;

/** Items of a field; none for `*`. */
const items = (field: string): string[] => (field === '*' ? [] : field.split(',').map((item) => item.trim()));

/** Actions that a scope of the claim lacks, with those scopes. Under Scope `*` one scope that has it is enough. */
function unknownActions(claim: Claim, registry: Registry): { action: string; missing: string[] }[] {
  const every = claim.scope === '*';
  const scopes = knownScopes(claim, registry);
  return items(claim.action)
    .map((action) => ({ action, missing: scopes.filter((scope) => !registry.get(scope)?.has(baseAction(action))) }))
    .filter(({ missing }) => missing.length > 0 && (!every || missing.length === scopes.length));
}

/** Scopes of a claim that the registry knows; `*` is all of them. */
function knownScopes(claim: Claim, registry: Registry): string[] {
  return claim.scope === '*' ? [...registry.keys()] : items(claim.scope).filter((scope) => registry.has(scope));
}

function unknownNames(claim: Claim, registry: Registry): Finding[] {
  const scopes = items(claim.scope).filter((scope) => !registry.has(scope) && scope !== '' && scope !== '*');
  const actions = unknownActions(claim, registry).filter(({ action }) => action !== '' && action !== '*');
  return [
    ...scopes.map(
      (scope): Finding => ({ code: 'unknown-scope', severity: 'error', message: `There is no scope "${scope}".` }),
    ),
    ...actions.map(
      ({ action, missing }): Finding => ({
        code: 'unknown-action',
        severity: 'error',
        message: `${claim.scope === '*' ? 'No scope' : missing.join(', ')} has ${claim.scope === '*' ? 'an' : 'no'} action "${baseAction(action)}".`,
      }),
    ),
  ];
}

function oddActions(claim: Claim): Finding[] {
  const { malformed } = parseClaim(claim);
  const qualified = items(claim.action).filter(
    (action) => action.includes(':') && baseAction(action) !== 'update' && baseAction(action) !== 'action',
  );
  return [
    ...[...malformed].map(
      (item): Finding => ({
        code: 'malformed-pointer',
        severity: 'warning',
        message: `"${item.slice(UPDATE_PREFIX.length)}" is not a JSON Pointer (RFC 6901), so "${item}" grants nothing.`,
      }),
    ),
    ...qualified.map(
      (item): Finding => ({
        code: 'unused-qualifier',
        severity: 'warning',
        message: `No request asks for "${item}": only update and action take a part after the colon.`,
      }),
    ),
  ];
}

function stars(claim: Claim): Finding[] {
  const fields = { Scope: claim.scope, Action: claim.action, Specific: claim.specific };
  return Object.entries(fields)
    .filter(([, field]) => items(field).includes('*'))
    .map(([name]) => ({
      code: 'star-in-list',
      severity: 'warning',
      message: `A * between other items of ${name} does not mean everything. Write * alone.`,
    }));
}

function emptiness(claim: Claim): Finding[] {
  const fields = { Scope: claim.scope, Action: claim.action, Specific: claim.specific };
  const empty = Object.entries(fields)
    .filter(([, field]) => field.trim() === '')
    .map(([name]) => name);
  if (empty.length === 3) {
    return [{ code: 'empty-claim', severity: 'error', message: 'The empty claim grants nothing.' }];
  }
  if (empty.length === 0) return [];
  const onlySpecific = empty.length === 1 && empty[0] === 'Specific';
  return [
    {
      code: 'partly-empty',
      severity: onlySpecific ? 'warning' : 'error',
      message: onlySpecific
        ? 'Specific is empty: only requests without an identifier fit, such as creating an object.'
        : `${empty.join(' and ')} is empty, so the claim grants nothing.`,
    },
  ];
}

function listWithIdentifiers(claim: Claim): Finding[] {
  if (claim.specific === '*' || !items(claim.action).includes('list')) return [];
  return [
    {
      code: 'list-with-identifiers',
      severity: 'warning',
      message: 'list with listed identifiers never matches: reading a collection asks for Specific *.',
    },
  ];
}

/** Scopes in which somebody may read single objects but not the list, or the reverse. */
function browsing(claims: readonly Claim[], claimIndex: number, registry: Registry): Finding[] {
  const claim = claims[claimIndex];
  if (claim === undefined || claim.action === '*') return [];
  const holds = (scope: string, action: string): boolean =>
    claims.some((one) => {
      const { scopes, actions } = parseClaim(one);
      return (scopes === 'all' || scopes.has(scope)) && (actions === 'all' || actions.has(action));
    });
  const lacking = (action: string): string[] =>
    knownScopes(claim, registry).filter((scope) => registry.get(scope)?.has(action) && !holds(scope, action));
  const out: Finding[] = [];
  const actions = items(claim.action);
  const withoutList = actions.includes('get') ? lacking('list') : [];
  const withoutGet = actions.includes('list') ? lacking('get') : [];
  const named = (scopes: string[]): string => (claim.scope === '*' ? 'any scope' : scopes.join(', '));
  if (withoutList.length > 0) {
    const message = `get without list on ${named(withoutList)}: browsing will not find the objects.`;
    out.push({ code: 'get-without-list', severity: 'hint', message });
  }
  if (withoutGet.length > 0) {
    const message = `list without get on ${named(withoutGet)}: the objects found cannot be opened.`;
    out.push({ code: 'list-without-get', severity: 'hint', message });
  }
  return out;
}

function redundant(claims: readonly Claim[], claimIndex: number): Finding[] {
  const claim = claims[claimIndex];
  if (claim === undefined || emptiness(claim).some(({ severity }) => severity === 'error')) return [];
  for (const [otherIndex, other] of claims.entries()) {
    if (otherIndex === claimIndex || !claimContains(other, claim)) continue;
    const mutual = claimContains(claim, other);
    // Of two that say the same, the later one is the duplicate.
    if (mutual && otherIndex > claimIndex) continue;
    const message = mutual
      ? `The same as claim ${otherIndex + 1}.`
      : `Contained in claim ${otherIndex + 1} (${claimText(other)}), so it adds nothing.`;
    return [{ code: mutual ? 'duplicate' : 'contained', severity: 'hint', otherIndex, message }];
  }
  return [];
}

/** Everything worth saying about the claims of a role. `role` is its name; the built-in superuser may be what it is. */
export function lintClaims(claims: readonly Claim[], role = '', registry: Registry = knownHere): Lint[] {
  return claims.flatMap((claim, claimIndex) => {
    const findings: Finding[] = [...emptiness(claim), ...unknownNames(claim, registry), ...oddActions(claim)];
    findings.push(...stars(claim), ...listWithIdentifiers(claim));
    findings.push(...redundant(claims, claimIndex), ...browsing(claims, claimIndex, registry));
    if (role !== 'superuser' && isSuperuser(claim)) {
      findings.push({
        code: 'superuser',
        severity: 'warning',
        message: 'This claim grants everything to everyone in the role.',
      });
    }
    return findings.map((finding) => ({ ...finding, claimIndex }));
  });
}
