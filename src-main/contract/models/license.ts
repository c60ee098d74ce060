/** The license bundle (wire-format.md 4.20). */
import Type from 'typebox';
import { anything, flag, listOf, orNull, text, texts, time, v4 } from './fields.ts';

export const License = Type.Object(
  {
    Name: text(),
    Version: text(),
    Data: anything(),
    PurchaseDate: time(),
    StartDate: time(),
    SoftExpireDate: time(),
    HardExpireDate: time(),
    ShortLicense: text(),
    LongLicense: text(),
    Active: flag(),
    Expired: flag(),
    ContractTerminationDate: time({ ...v4 }),
  },
  { title: 'License' },
);
export type License = Type.Static<typeof License>;

export const LicenseBundle = Type.Object(
  {
    Contact: text(),
    ContactEmail: text(),
    ContactId: text(),
    Owner: text(),
    OwnerEmail: text(),
    OwnerId: text(),
    Grantor: text(),
    GrantorEmail: text(),
    GenerationVersion: text(),
    Licenses: orNull(listOf(License)),
    Version: text({ ...v4 }),
    Endpoints: texts({ ...v4 }),
    MaxDrpVersion: text({ ...v4 }),
  },
  { title: 'LicenseBundle' },
);
export type LicenseBundle = Type.Static<typeof LicenseBundle>;
