/** Names that say of themselves that their value is secret. One list for logs, records and screens. Pure. */

/** For use inside larger expressions; letter case is to be ignored. */
export const SECRET_NAME_PATTERN =
  'pass(?:word|wd|phrase|code)?|secret|token|api[-_]?key|access[-_]?key|private[-_]?key|credential|authori[sz]ation';

const NAME = new RegExp(SECRET_NAME_PATTERN, 'i');
const HEADER = new RegExp(`${SECRET_NAME_PATTERN}|auth|cookie|session`, 'i');

export function isSecretName(name: string): boolean {
  return NAME.test(name);
}

/** Headers whose value nobody but the receiver may see. */
export function isSecretHeader(name: string): boolean {
  return HEADER.test(name);
}
