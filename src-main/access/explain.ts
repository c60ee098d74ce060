/**
 * Why a request is allowed or not (ux.md 9): the same rungs in the same order as deciding it, each with a sentence, and
 * for every claim needed who granted it or what came closest. Pure. For callers who may list users and roles.
 *
 *   token ──► tenant ──► claims ──► license          the first that stops is the reason;
 *                                                     a missing license speaks before a missing claim
 */
import type { ExplainedClaim, ExplainedNeed, ExplainedRung, Explanation, Rung } from '../contract/access-answers.ts';
import {
  type Claim,
  type ClaimGroup,
  compileGrants,
  explainClaim,
  type Grants,
  ownUserClaims,
  type RequiredClaim,
  requiredFeature,
  type TouchedObject,
  type Verdict,
} from '../contract/claims/index.ts';
import { visibility } from '../contract/tenants.ts';
import { isOwnUserAction, ownAllows, type Subject } from './subject.ts';

export interface ExplainRequest {
  readonly subject: Subject;
  /** Verdict on the token; left out when the question is about the user. */
  readonly token?: { readonly ok: boolean; readonly sentence: string };
  readonly claims: readonly RequiredClaim[];
  /** Objects that must be visible. */
  readonly touches: readonly TouchedObject[];
  readonly licensed: (feature: string) => boolean;
  /** Replaces the plain rule for objects that are visible with something else, such as leases of a machine. */
  readonly visible?: (touched: TouchedObject) => boolean;
  /** Roles and tenants that may be named, where whoever wants to know does not see all of them. */
  readonly mayName?: MayName;
}

/** Whether a role or tenant may be shown to whoever wants to know. */
export type MayName = (scope: 'roles' | 'tenants', name: string) => boolean;

const NAMES_ALL: MayName = () => true;

/** Whether a subject sees an object: by its tenant, or (jobs) with its machine. */
export function subjectSees(subject: Subject, { scope, key, machine }: TouchedObject): boolean {
  const sight = visibility(subject.tenant && { Members: subject.tenant.members });
  if (sight.sees(scope, key)) return true;
  return machine !== undefined && sight.restricts('machines') && sight.sees('machines', machine);
}

function place({ role, claim }: { readonly role?: string; readonly claim: Claim }): ExplainedClaim {
  return { role: role ?? null, claim };
}

/** `verdict` may rest on fewer rights than the decision, so that it knows of none that grants either. */
function missing(verdict: Verdict, narrowed: boolean): ExplainedNeed {
  if (verdict.granted) throw new Error('rights that are shown grant what all rights do not');
  const { nearest, smallest } = verdict;
  return {
    ...verdict.required,
    Granted: false,
    ...(nearest
      ? {
          NearestMiss: {
            ...place(nearest),
            Lacks: nearest.lacks.map(({ field, sentence }) => ({ Field: field, Sentence: sentence })),
          },
        }
      : {}),
    Smallest: smallest,
    ...(narrowed ? { Narrowed: true } : {}),
  };
}

/** What decides, and what of it may be shown: an explanation rests on all roles and names only those. */
interface Rights {
  readonly whole: Grants;
  readonly shown: Grants;
}

function rightsOf(groups: readonly ClaimGroup[], mayName: MayName): Rights {
  const whole = compileGrants(groups);
  const shown = groups.filter(({ role }) => role === undefined || mayName('roles', role));
  return { whole, shown: shown.length === groups.length ? whole : compileGrants(shown) };
}

/** Explains each claim needed, against the rights of the subject and every narrowing. */
function explainNeeds(
  subject: Subject,
  claims: readonly RequiredClaim[],
  mayName: MayName = NAMES_ALL,
): readonly ExplainedNeed[] {
  const rights = rightsOf(subject.groups, mayName);
  const layers = subject.layers.map((layer) => rightsOf(layer, mayName));
  const own = compileGrants([{ claims: ownUserClaims(subject.name) }]);
  return claims.map((required): ExplainedNeed => {
    const { scope, action, specific } = required;
    const granted = rights.whole.allows(scope, action, specific);
    const verdict = explainClaim(rights.shown, required);
    const byOwn = subject.ownUser && ownAllows(subject.name, scope, action, specific);
    if (!granted && !byOwn) return missing(verdict, false);
    for (const layer of layers) {
      if (!layer.whole.allows(scope, action, specific)) return missing(explainClaim(layer.shown, required), true);
    }
    if (verdict.granted) return { ...required, Granted: true, By: place(verdict.by) };
    if (granted) return { ...required, Granted: true };
    const By = { role: null, claim: own.whichGrants(scope, action, specific)?.claim ?? required };
    return { ...required, Granted: true, By };
  });
}

function claimSentence(subject: Subject, claims: readonly ExplainedNeed[]): string {
  const lacking = claims.find((need) => !need.Granted);
  if (!lacking) return claims.length === 0 ? 'It needs no claim' : 'Every claim it needs is granted';
  const { scope, action, specific } = lacking;
  const asked = `${scope} ${action} ${specific === '' ? '""' : specific}`;
  if (lacking.Narrowed) return `${asked} is a right of ${subject.name}, but the token was narrowed to less`;
  return `No role and no direct claim of ${subject.name} grants ${asked}`;
}

function tenantSentence(
  subject: Subject,
  restricts: boolean,
  hidden: TouchedObject | undefined,
  mayName: MayName,
): string {
  if (!subject.tenant) return `${subject.name} is in no tenant and sees everything`;
  const { name } = subject.tenant;
  const tenant = mayName('tenants', name) ? `Tenant ${name}` : `The tenant of ${subject.name}`;
  if (hidden) return `${tenant} does not show ${hidden.scope} ${hidden.key} to ${subject.name}`;
  return restricts ? `${tenant} shows what the request is about` : `${tenant} does not restrict this`;
}

interface Finding {
  readonly rung: Rung;
  readonly ok: boolean;
  readonly sentence: string;
}

function ladder(findings: readonly Finding[], stop: Finding | undefined): readonly ExplainedRung[] {
  const end = stop === undefined ? findings.length : findings.indexOf(stop);
  return findings.map(({ rung, sentence }, i) => {
    if (i > end) return { Rung: rung, Verdict: 'not evaluated', Sentence: '' };
    return { Rung: rung, Verdict: i === end ? 'stop' : 'pass', Sentence: sentence };
  });
}

/** Explains one request. */
export function explainRequest(request: ExplainRequest): Explanation {
  const { subject, claims, touches, licensed, token, mayName = NAMES_ALL } = request;
  // The own-user routes work whatever the tenant hides; no other request on the own user does.
  const ownRoute =
    subject.ownUser &&
    claims.every(({ scope, action, specific }) => isOwnUserAction(subject.name, scope, action, specific));
  const visible = (touched: TouchedObject): boolean =>
    (ownRoute && touched.scope === 'users' && touched.key === subject.name) ||
    (request.visible?.(touched) ?? subjectSees(subject, touched));
  const tenant = subject.tenant?.name;
  const members = subject.tenant?.members ?? {};
  const restricts = touches.some(({ scope }) => Object.hasOwn(members, scope));
  const hidden = touches.find((touched) => !visible(touched));
  const needs = explainNeeds(subject, claims, mayName);
  const features = claims.flatMap(({ scope, action }) => requiredFeature(scope, action) ?? []);
  const unlicensed = features.find((feature) => !licensed(feature));
  const feature = unlicensed ?? features[0] ?? null;
  const licenseSentence =
    feature === null
      ? 'It needs no licensed feature'
      : `It needs the licensed feature ${feature}, which is ${unlicensed === undefined ? 'in force' : 'not in force'}`;
  const findings: readonly Finding[] = [
    {
      rung: 'token',
      ok: token?.ok ?? true,
      sentence: token?.sentence ?? `Asked about ${subject.name}, not about a token`,
    },
    { rung: 'tenant', ok: hidden === undefined, sentence: tenantSentence(subject, restricts, hidden, mayName) },
    { rung: 'claim', ok: needs.every((need) => need.Granted), sentence: claimSentence(subject, needs) },
    { rung: 'license', ok: unlicensed === undefined, sentence: licenseSentence },
  ];
  const first = findings.find((finding) => !finding.ok);
  const stop = first?.rung === 'claim' ? (findings.find(({ rung, ok }) => rung === 'license' && !ok) ?? first) : first;
  const rungs = ladder(findings, stop).map((rung) =>
    // The license speaks first, yet the claim below it was looked at and was missing too.
    rung.Rung === 'claim' && first?.rung === 'claim' && stop !== first ? { ...rung, Verdict: 'stop' as const } : rung,
  );
  return {
    Allowed: stop === undefined,
    Reason: stop?.rung ?? '',
    Sentence: stop?.sentence ?? claimSentence(subject, needs),
    Claims: needs,
    Tenant: {
      Name: tenant !== undefined && mayName('tenants', tenant) ? tenant : null,
      Restricts: restricts,
      Visible: hidden === undefined,
    },
    License: { Feature: feature, Licensed: unlicensed === undefined },
    Ladder: rungs,
  };
}
