/** Sort order as it stands in the address: `Name.asc,Stage.desc`. Pure. */

export interface SortBy {
  /** Column. */
  readonly id: string;
  readonly desc: boolean;
}

/** The first entry rules; the others decide between equals. */
export type Sorting = readonly SortBy[];

/** Without an order in the address, the first column ascending. */
export function parseSort(text: string | undefined, known: readonly string[]): Sorting {
  if (!text) return known.slice(0, 1).map((id) => ({ id, desc: false }));
  return text.split(',').flatMap((part) => {
    const dot = part.lastIndexOf('.');
    const id = part.slice(0, dot);
    return known.includes(id) ? [{ id, desc: part.slice(dot + 1) === 'desc' }] : [];
  });
}

export function formatSort(sorting: Sorting): string | undefined {
  return sorting.length === 0 ? undefined : sorting.map((s) => `${s.id}.${s.desc ? 'desc' : 'asc'}`).join(',');
}
