/**
 * The text filter of lists: words that must all appear somewhere, and typed terms like `role:lab-ops` or
 * `"two words"`. Pure.
 */

export interface Term {
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

/**
 * True when every term appears in one of the row's texts. A field no column has makes its term plain
 * text again, so that `52:54:00` finds a hardware address.
 */
export function matchesFilter(terms: readonly Term[], row: ReadonlyMap<string, string>): boolean {
  return terms.every((term) => {
    if (term.field !== undefined) {
      const value = row.get(term.field);
      if (value !== undefined) return value.includes(term.text);
    }
    const text = term.field === undefined ? term.text : `${term.field}:${term.text}`;
    for (const value of row.values()) if (value.includes(text)) return true;
    return false;
  });
}
