/**
 * Every link of the application is built here. The address after `#` holds the whole view state of a
 * screen: filter, sort, opened object, tab. (A hash, so that it never reaches the server or its logs.)
 */

/** The screens, as their address calls them. */
export type Screen = 'users' | 'roles' | 'tenants' | 'tokens' | 'simulator' | 'machines' | 'callbacks' | 'deliveries';

export interface ScreenSearch {
  /** Text filter. */
  readonly q?: string | undefined;
  /** `Name.asc,Stage.desc` */
  readonly sort?: string | undefined;
  /** Key of the object in the panel. */
  readonly sel?: string | undefined;
  readonly tab?: string | undefined;
  /** Deliveries: which states are listed. */
  readonly state?: string | undefined;
  /** Tokens and simulator: who is asked about. */
  readonly user?: string | undefined;
  /** Simulator: the request asked about. Its body and a token are never part of an address. */
  readonly method?: string | undefined;
  readonly path?: string | undefined;
}

const FIELDS = ['q', 'sort', 'sel', 'tab', 'state', 'user', 'method', 'path'] as const;

/** Keeps the known fields that are non-empty text; a hand-edited address cannot break a screen. */
export function readSearch(raw: Record<string, unknown>): ScreenSearch {
  return Object.fromEntries(
    FIELDS.flatMap((name) => {
      const value = raw[name];
      return typeof value === 'string' && value !== '' ? [[name, value]] : [];
    }),
  );
}

/** Plain `name=value` pairs both ways: the router's default would turn the filter `42` into a number. */
export function parseQuery(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}

export function formatQuery(search: Record<string, unknown>): string {
  const pairs = Object.entries(search).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== '',
  );
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs).toString()}`;
}

/** A link for places that may stand outside of the router, such as dialogs over it. */
export function hrefTo(screen: Screen, search: ScreenSearch): string {
  return `#/${screen}${formatQuery({ ...search })}`;
}

/** The address of one object's panel. */
export function linkTo(screen: Screen, key?: string) {
  return { to: `/${screen}`, search: key === undefined ? {} : { sel: key } } as const;
}
