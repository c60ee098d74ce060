/** Names that say of themselves that their value is secret. One list for logs, records and screens. Pure. */

/** For use inside larger expressions; letter case is to be ignored. */
export const SECRET_NAME_PATTERN =
  'pass(?:word|wd|phrase|code)?|secret|token|api[-_]?key|access[-_]?key|private[-_]?key|credential|authori[sz]ation';

const NAME = new RegExp(SECRET_NAME_PATTERN, 'i');
const HEADER = new RegExp(`${SECRET_NAME_PATTERN}|auth|cookie|session`, 'i');

export function isSecretName(name: string): boolean {
  return NAME.test(name);
}

/** What stands for a secret. */
const HIDDEN = '***';
/** Credentials of an address. They may be made by a template, whose text may hold what would end them elsewhere. */
const USER_INFO = /(?:[^/?#{]|\{(?!\{)|\{\{[^}]*\}\})*@/y;
const QUERY_VALUE = new RegExp(
  `([?&#](?:[\\w.%-]{0,64}(?:${SECRET_NAME_PATTERN})[\\w.%-]{0,64}|key|sig|signature|auth)=)[^&#]+`,
  'gi',
);

/** An address, or the template of one, as it may be shown: without user and password, and without values of secret parameters. */
export function maskAddress(address: string): string {
  const start = address.indexOf('//') + 2;
  USER_INFO.lastIndex = start;
  const found = start < 2 ? null : USER_INFO.exec(address);
  const host = found ? `${address.slice(0, start)}${HIDDEN}@${address.slice(start + found[0].length)}` : address;
  return host.includes('=') ? host.replace(QUERY_VALUE, `$1${HIDDEN}`) : host;
}

/** Headers whose value nobody but the receiver may see. */
export function isSecretHeader(name: string): boolean {
  return HEADER.test(name);
}
