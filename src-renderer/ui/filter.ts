/**
 * The text filter of lists: words that must all appear somewhere, and typed terms like `role:lab-ops` or
 * `"two words"`. Pure.
 */

interface Term {
  /** Column the term is limited to, lower case; undefined searches all. */
  readonly field: string | undefined;
  readonly text: string;
}

/** Splits a filter into terms. An unfinished quote runs to the end; `field:` alone is ignored while typing. */
export function parseFilter(input: string): Term[] {
  const terms: Term[] = [];
  for (const match of input.matchAll(/(?:([\p{L}_]+):)?(?:"([^"]*)"?|(\S+))/gu)) {
    const text = (match[2] ?? match[3] ?? '').toLowerCase();
    if (text !== '') terms.push({ field: match[1]?.toLowerCase(), text });
  }
  return terms;
}

/** What a row says, lower case: per column, and all of it for terms that name none. */
export interface RowText {
  readonly fields: ReadonlyMap<string, string>;
  readonly all: string;
}

/**
 * True when every term appears in one of the row's texts. A field may be named in the singular (`role:` for the column
 * Roles). One that no column has makes its term plain text again, so that `52:54:00` finds a hardware address.
 */
export function matchesFilter(terms: readonly Term[], { fields, all }: RowText): boolean {
  return terms.every(({ field, text }) => {
    if (field === undefined) return all.includes(text);
    const value = fields.get(field) ?? fields.get(`${field}s`);
    return value === undefined ? all.includes(`${field}:${text}`) : value.includes(text);
  });
}
