/**
 * RFC 6901 JSON Pointers as text and as token lists.
 *
 * A valid pointer has exactly one spelling, so pointers compare as text and an ancestor is found by cutting at the
 * last `/`; nothing here needs to decode tokens to compare them.
 */

/** A text that is no JSON Pointer. `position` is the 0-based offset of the offending character. */
export class PointerSyntaxError extends Error {
  readonly pointer: string;
  readonly position: number;

  constructor(pointer: string, position: number, why: string) {
    super(`'${pointer}' is not a JSON Pointer: ${why} at position ${position}`);
    this.name = 'PointerSyntaxError';
    this.pointer = pointer;
    this.position = position;
  }
}

const BARE_TILDE = /~(?![01])/;

/** True for `''` (the whole document) and for every `/token/token` whose `~` are all `~0` or `~1`. */
export function isPointer(text: string): boolean {
  if (text === '') return true;
  if (text.charCodeAt(0) !== 0x2f) return false;
  return !text.includes('~') || !BARE_TILDE.test(text);
}

/** One reference token as it stands between two slashes: `~` becomes `~0`, `/` becomes `~1`. */
export function escapeToken(token: string): string {
  return token.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** The other way round. `~01` is the text `~1`, which is why `~1` is replaced first. */
export function unescapeToken(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** Reference tokens of a pointer, decoded. Throws `PointerSyntaxError`. */
export function parsePointer(text: string): string[] {
  if (text === '') return [];
  if (!text.startsWith('/')) throw new PointerSyntaxError(text, 0, 'it must be empty or start with "/"');
  const bad = text.search(BARE_TILDE);
  if (bad >= 0) throw new PointerSyntaxError(text, bad, '"~" must be followed by 0 or 1');
  return text.slice(1).split('/').map(unescapeToken);
}

/** The pointer with these tokens; no token at all is the whole document. */
export function formatPointer(tokens: readonly (string | number)[]): string {
  return tokens.map((token) => `/${escapeToken(String(token))}`).join('');
}

/** `base` with tokens added below it. `base` must be a pointer already. */
export function joinPointer(base: string, ...tokens: readonly (string | number)[]): string {
  return base + formatPointer(tokens);
}

/** The pointer one token shorter; undefined for the whole document. */
export function parentPointer(pointer: string): string | undefined {
  const cut = pointer.lastIndexOf('/');
  return cut < 0 ? undefined : pointer.slice(0, cut);
}
