/** Making and installing licenses from the command line, with the service stopped or running. */
import { mkdirSync, readFileSync } from 'node:fs';
import type { JsonObject } from '../../kit/json.ts';
import { stateAt } from './bundle.ts';
import { LAB_SIGNER, LicenseError, labKey, licenseFiles, readIfThere, replaceFile, trustedKeys } from './directory.ts';
import { signBundle, verifyLicense } from './signed.ts';

const DAY_MS = 86_400_000;
/** Two machines that share a lab license may differ by this much. */
const START_EARLIER_MS = 60_000;
const FEATURE_NAME = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const LONGEST_DAYS = 36_500;

interface LabLicenseRequest {
  readonly features: readonly string[];
  /** Days until the hard expiry; may be a fraction. */
  readonly days: number;
  /** ms since 1970. */
  readonly now: number;
}

/** The bundle of a lab license. The soft expiry comes a tenth before the hard one, at most 30 days. Throws LicenseError. */
export function labBundle({ features, days, now }: LabLicenseRequest): JsonObject {
  if (!(days > 0) || days > LONGEST_DAYS) {
    throw new LicenseError(
      `A license cannot last ${days} days.`,
      `Give --days a number above 0, at most ${LONGEST_DAYS}.`,
    );
  }
  const odd = features.find((name) => !FEATURE_NAME.test(name));
  if (odd !== undefined || features.length === 0) {
    const what = odd === undefined ? 'No feature was named.' : `'${odd}' is not the name of a feature.`;
    throw new LicenseError(what, 'Names are lower-case words joined by dashes, such as rbac.');
  }
  const time = (ms: number): string => new Date(ms).toISOString();
  const hard = now + days * DAY_MS;
  const soft = hard - Math.min(days / 10, 30) * DAY_MS;
  return {
    Contact: '',
    ContactEmail: '',
    ContactId: '',
    Owner: LAB_SIGNER,
    OwnerEmail: '',
    OwnerId: '',
    Grantor: LAB_SIGNER,
    GrantorEmail: '',
    GenerationVersion: 'lab-1',
    Licenses: [...new Set(features)].map((name) => ({
      Name: name,
      Version: 'lab',
      Data: null,
      PurchaseDate: time(now),
      StartDate: time(now - START_EARLIER_MS),
      SoftExpireDate: time(soft),
      HardExpireDate: time(hard),
      ShortLicense: LAB_SIGNER,
      LongLicense: 'Lab license: signed by the data directory that uses it, and trusted by no other.',
    })),
  };
}

/** The text of a new lab license of this data directory, whose lab key is made when there is none. Throws LicenseError. */
export function makeLabLicense(dataDirectory: string, request: LabLicenseRequest): string {
  const bundle = labBundle(request);
  return signBundle(bundle, labKey(licenseFiles(dataDirectory)));
}

/**
 * Verifies the text of a license and installs it in place of the one there. `replace: false` keeps a valid license of
 * a vendor from being replaced by a lab's. Throws LicenseError when it does not verify here.
 */
export function installLicense(dataDirectory: string, text: string, now: number, replace = true): void {
  const files = licenseFiles(dataDirectory);
  const trusted = trustedKeys(files);
  const checked = verifyLicense(text, trusted);
  if (!checked.ok) {
    throw new LicenseError(
      `The license is not valid here. ${checked.sentence}.`,
      `Vendors are trusted by their public key in ${files.vendors}; a lab license works only in the data directory that issued it.`,
    );
  }
  const present = verifyLicense(readIfThere(files.license) ?? '', trusted);
  const worthKeeping =
    present.ok &&
    !present.verified.lab &&
    (present.verified.bundle.Licenses ?? []).some((license) => stateAt(license, now) !== 'expired');
  if (!replace && worthKeeping && checked.verified.lab) {
    throw new LicenseError(
      `A license signed by ${present.verified.signer} is installed and still valid.`,
      'Give --replace to put the lab license in its place.',
    );
  }
  mkdirSync(files.dir, { recursive: true });
  replaceFile(files.license, text.endsWith('\n') ? text : `${text}\n`, 0o644);
}

/** Text of a license file a person named. Throws LicenseError. */
export function readLicenseFile(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new LicenseError(`${file} cannot be read (${code}).`, 'Name the license file to install.', error);
  }
}
