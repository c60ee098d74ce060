/**
 * What a license says (wire-format.md 4.20): a bundle of licenses, each for one feature and a span of time. Dates are
 * judged when asked; the flags a bundle may carry about itself are not believed.
 */
import { isJsonObject, type Json, type JsonObject } from '../../kit/json.ts';

/** One licensed feature. Times are RFC 3339 as issued. */
export type License = {
  readonly Name: string;
  readonly Version: string;
  readonly Data: Json;
  readonly PurchaseDate: string;
  readonly StartDate: string;
  readonly SoftExpireDate: string;
  readonly HardExpireDate: string;
  readonly ShortLicense: string;
  readonly LongLicense: string;
  /** Between StartDate and HardExpireDate. */
  readonly Active: boolean;
  /** Past SoftExpireDate: still active until the hard one, but due for renewal. */
  readonly Expired: boolean;
};

/** Who licensed what to whom; texts without a value are empty. */
export type LicenseBundle = {
  readonly Contact: string;
  readonly ContactEmail: string;
  readonly ContactId: string;
  readonly Owner: string;
  readonly OwnerEmail: string;
  readonly OwnerId: string;
  readonly Grantor: string;
  readonly GrantorEmail: string;
  readonly GenerationVersion: string;
  /** Null when there is none. */
  readonly Licenses: readonly License[] | null;
  readonly Version: string;
  readonly Endpoints: readonly string[];
  readonly MaxDrpVersion: string;
};

export type LicenseState = 'not-started' | 'active' | 'expiring' | 'expired';

const ZERO_TIME = '0001-01-01T00:00:00Z';

function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

function time(value: Json | undefined): string {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? value : ZERO_TIME;
}

/** State of one license at a moment, ms. A license without a readable date is expired. */
export function stateAt(license: License, now: number): LicenseState {
  if (!(Date.parse(license.StartDate) < now)) return 'not-started';
  if (!(now < Date.parse(license.HardExpireDate))) return 'expired';
  return Date.parse(license.SoftExpireDate) < now ? 'expiring' : 'active';
}

/** The license with its flags as of `now`. */
export function judged(license: License, now: number): License {
  const state = stateAt(license, now);
  return {
    ...license,
    Active: state === 'active' || state === 'expiring',
    Expired: Date.parse(license.SoftExpireDate) < now,
  };
}

function readLicense(value: JsonObject): License {
  return {
    Name: text(value['Name']),
    Version: text(value['Version']),
    Data: value['Data'] ?? null,
    PurchaseDate: time(value['PurchaseDate']),
    StartDate: time(value['StartDate']),
    SoftExpireDate: time(value['SoftExpireDate']),
    HardExpireDate: time(value['HardExpireDate']),
    ShortLicense: text(value['ShortLicense']),
    LongLicense: text(value['LongLicense']),
    Active: false,
    Expired: false,
  };
}

/** A bundle out of JSON; undefined when it is no object with a list of Licenses. */
export function readBundle(value: Json | undefined): LicenseBundle | undefined {
  const list = isJsonObject(value) ? value['Licenses'] : undefined;
  if (!isJsonObject(value) || !Array.isArray(list)) return undefined;
  const endpoints = value['Endpoints'];
  return {
    Contact: text(value['Contact']),
    ContactEmail: text(value['ContactEmail']),
    ContactId: text(value['ContactId']),
    Owner: text(value['Owner']),
    OwnerEmail: text(value['OwnerEmail']),
    OwnerId: text(value['OwnerId']),
    Grantor: text(value['Grantor']),
    GrantorEmail: text(value['GrantorEmail']),
    GenerationVersion: text(value['GenerationVersion']),
    Licenses: (list as readonly Json[]).filter(isJsonObject).map(readLicense),
    Version: text(value['Version']),
    Endpoints: Array.isArray(endpoints)
      ? (endpoints as readonly Json[]).filter((item) => typeof item === 'string')
      : [],
    MaxDrpVersion: text(value['MaxDrpVersion']),
  };
}

/** The bundle of a server without any license. */
export const NO_LICENSE: LicenseBundle = {
  Contact: '',
  ContactEmail: '',
  ContactId: '',
  Owner: '',
  OwnerEmail: '',
  OwnerId: '',
  Grantor: '',
  GrantorEmail: '',
  GenerationVersion: '',
  Licenses: null,
  Version: '',
  Endpoints: [],
  MaxDrpVersion: '',
};
