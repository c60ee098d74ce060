/**
 * The licenses in force: the file of the data directory and the license of a content layer, verified, judged by the
 * clock. Nothing is asked of anybody on the network. Changes made while the service runs are noticed within a second,
 * when somebody asks; between two questions nothing runs.
 */
import { judged, type License, type LicenseBundle, type LicenseState, NO_LICENSE, stateAt } from './bundle.ts';
import { createClockGuard } from './clock-guard.ts';
import { fileMark, type LicenseFiles, licenseFiles, readIfThere, trustedKeys } from './directory.ts';
import { type TrustedKey, type Verification, verifyLicense } from './signed.ts';

export interface LicensesDeps {
  /** The data directory of the service; undefined: there is none (tests, memory only). */
  readonly dataDirectory: string | undefined;
  /** ms since 1970. */
  readonly clock: () => number;
  /** Param `rackn/license` of profile `rackn-license`, as text; undefined when no content layer has it. */
  readonly contentLicense?: () => string | undefined;
  /** Further trusted keys. */
  readonly trusted?: readonly TrustedKey[];
  /** ms that only ever grow; paces the look at the files. Default: `performance.now`. */
  readonly monotonic?: () => number;
  /** False: the highest time seen is read but not written. Default true. */
  readonly writable?: boolean;
}

/** One place where a license may be. */
export interface LicenseSource {
  readonly Source: 'file' | 'content';
  readonly Valid: boolean;
  /** Signer of a valid one; empty otherwise. */
  readonly Signer: string;
  readonly Lab: boolean;
  readonly KeyId: string;
  /** What is wrong; empty for a valid one. */
  readonly Problem: string;
}

export interface LicensedFeature {
  readonly Name: string;
  readonly State: LicenseState;
  readonly StartDate: string;
  readonly SoftExpireDate: string;
  readonly HardExpireDate: string;
  readonly Lab: boolean;
}

/** Everything about licenses, for people. */
export interface LicenseStatus {
  /** Features in force now, each once. */
  readonly Features: readonly string[];
  /** True when a feature in force rests on a lab license. */
  readonly Lab: boolean;
  readonly Licenses: readonly LicensedFeature[];
  readonly Sources: readonly LicenseSource[];
  /** The clock was set back; empty when it was not. */
  readonly ClockProblem: string;
}

/** `Info.License` (wire-format.md 4.20) with two additive fields. */
export type LicenseInfo = LicenseBundle & {
  readonly Lab: boolean;
  /** What people should know: a clock set back, a license that cannot be read. Empty when all is well. */
  readonly Notice: string;
};

export interface LicenseVerifier {
  /** True while the feature is licensed: between start and hard expiry. */
  has(feature: string): boolean;
  licenseInfo(): LicenseInfo;
  status(): LicenseStatus;
  /** Writes down the highest time seen. */
  close(): void;
}

interface Loaded {
  readonly source: 'file' | 'content';
  readonly verification: Verification;
}

const LOOK_EVERY_MS = 1_000;

function readFileSource(files: LicenseFiles, trusted: readonly TrustedKey[]): Verification | undefined {
  try {
    const text = readIfThere(files.license);
    return text === undefined ? undefined : verifyLicense(text, trusted);
  } catch (error) {
    return { ok: false, sentence: `It cannot be read: ${(error as NodeJS.ErrnoException).code ?? String(error)}` };
  }
}

function sourceOf({ source, verification }: Loaded): LicenseSource {
  if (!verification.ok) {
    return { Source: source, Valid: false, Signer: '', Lab: false, KeyId: '', Problem: verification.sentence };
  }
  const { signer, lab, keyId } = verification.verified;
  return { Source: source, Valid: true, Signer: signer, Lab: lab, KeyId: keyId, Problem: '' };
}

export function createLicenses(deps: LicensesDeps): LicenseVerifier {
  const files = deps.dataDirectory === undefined ? undefined : licenseFiles(deps.dataDirectory);
  const guard = files && createClockGuard(files, deps.writable !== false);
  const monotonic = deps.monotonic ?? (() => performance.now());
  let looked = Number.NEGATIVE_INFINITY;
  let marks = '';
  let content: string | undefined;
  let loaded: readonly Loaded[] = [];

  function load(): void {
    const trusted = [...(files ? trustedKeys(files) : []), ...(deps.trusted ?? [])];
    const fromFile = files && readFileSource(files, trusted);
    loaded = [
      ...(fromFile ? [{ source: 'file', verification: fromFile } as const] : []),
      ...(content === undefined ? [] : [{ source: 'content', verification: verifyLicense(content, trusted) } as const]),
    ];
  }

  function refresh(): void {
    const now = monotonic();
    const layered = deps.contentLicense?.();
    // Files cost a look at the disk; a content layer is in memory and counts at once.
    if (now - looked < LOOK_EVERY_MS && layered === content) return;
    looked = now;
    const seen = files ? [files.license, files.labPublicKey, files.vendors].map(fileMark).join('|') : 'none';
    if (seen === marks && layered === content) return;
    marks = seen;
    content = layered;
    load();
  }

  /** Every license of every valid source with whether it is a lab's. */
  function current(): { readonly now: number; readonly problem: string; readonly held: readonly [License, boolean][] } {
    refresh();
    const reading = deps.clock();
    const verdict = guard?.judge(reading) ?? { state: 'steady' as const, now: reading };
    const held = loaded.flatMap(({ verification }) =>
      verification.ok
        ? (verification.verified.bundle.Licenses ?? []).map((license): [License, boolean] => [
            judged(license, verdict.now),
            verification.verified.lab,
          ])
        : [],
    );
    return { now: verdict.now, problem: verdict.state === 'set-back' ? verdict.sentence : '', held };
  }

  return {
    has: (feature) => current().held.some(([license]) => license.Name === feature && license.Active),
    licenseInfo() {
      const { problem, held } = current();
      const first = loaded.find(({ verification }) => verification.ok)?.verification;
      const bundle = first?.ok ? first.verified.bundle : NO_LICENSE;
      const broken = loaded.flatMap(({ source, verification }) =>
        verification.ok ? [] : [`The license of the ${source} is not valid. ${verification.sentence}.`],
      );
      return {
        ...bundle,
        Licenses: held.length === 0 ? bundle.Licenses : held.map(([license]) => license),
        Lab: held.some(([license, lab]) => license.Active && lab),
        Notice: [problem, ...broken].filter((line) => line !== '').join(' '),
      };
    },
    status() {
      const { now, problem, held } = current();
      const active = held.filter(([license]) => license.Active);
      return {
        Features: [...new Set(active.map(([license]) => license.Name))].sort(),
        Lab: active.some(([, lab]) => lab),
        Licenses: held.map(([license, lab]) => ({
          Name: license.Name,
          State: stateAt(license, now),
          StartDate: license.StartDate,
          SoftExpireDate: license.SoftExpireDate,
          HardExpireDate: license.HardExpireDate,
          Lab: lab,
        })),
        Sources: loaded.map(sourceOf),
        ClockProblem: problem,
      };
    },
    close: () => guard?.save(),
  };
}
