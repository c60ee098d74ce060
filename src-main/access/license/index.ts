/**
 * Licenses: which features may be used, until when, and who says so.
 *
 *   bundle        what a license says, judged at a moment
 *   signed        the two signed forms; whose signature counts
 *   directory     the files, and the lab key a directory makes for itself
 *   clock-guard   a clock set back does not lengthen a license
 *   licenses      the licenses in force, asked by everybody else
 *   install       making and installing, for the command line
 */
export { LicenseError } from './directory.ts';
export { installLicense, makeLabLicense, readLicenseFile } from './install.ts';
export { createLicenses, type LicenseStatus, type LicenseVerifier } from './licenses.ts';
