/**
 * Components that are fetched when they are first needed. Unlike React's `lazy`, which remembers a failure for ever, a fetch
 * that failed is made again by the next who asks: the server may have been away. (The router's own one reloads the
 * page instead, which throws the whole application away while the server is.)
 */
import { type ComponentType, createElement, type FunctionComponent, use } from 'react';

/** What a component throws that could not be fetched. */
export class FetchError extends Error {
  constructor(cause: unknown) {
    super('A part of this page could not be fetched', { cause });
    this.name = 'FetchError';
  }
}

export interface Fetched<P extends object> extends FunctionComponent<P> {
  /** Fetches it unless it is here. Never rejects: who draws it gets the error. */
  preload(): Promise<void>;
}

interface Entry {
  readonly preload: () => Promise<void>;
  readonly failed: () => boolean;
}

const all = new Set<Entry>();

/** Stylesheets that did not arrive, by address. The bundler asks for each only once: a part tried again would come unstyled. */
const lostStyles = new Map<string, HTMLLinkElement>();
document.addEventListener(
  'error',
  ({ target }) => {
    if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') lostStyles.set(target.href, target);
  },
  // Failures to load do not bubble.
  true,
);

/** Asks for all of them again; those that fail again are lost again. */
async function fetchLostStyles(): Promise<void> {
  const again = [...lostStyles].map(([href, lost]) => {
    lostStyles.delete(href);
    const fresh = document.createElement('link');
    fresh.rel = lost.rel;
    fresh.href = href;
    const settled = new Promise((resolve) => {
      fresh.onload = resolve;
      fresh.onerror = resolve;
    });
    lost.replaceWith(fresh);
    return settled;
  });
  await Promise.all(again);
}

/** A component that `fetch` brings; drawing it before suspends, or throws a FetchError when the last try failed. */
export function fetched<P extends object>(fetch: () => Promise<ComponentType<P>>): Fetched<P> {
  let found: ComponentType<P> | undefined;
  let failure: FetchError | undefined;
  let running: Promise<void> | undefined;
  let styles: readonly string[] = [];
  const load = async () => {
    await fetchLostStyles();
    try {
      const missing = styles.find((href) => lostStyles.has(href));
      if (missing !== undefined) throw new Error(`${missing} could not be fetched`);
      found = await fetch();
      failure = undefined;
    } catch (error) {
      styles = [...lostStyles.keys()];
      failure = new FetchError(error);
    }
    running = undefined;
  };
  const preload = (): Promise<void> => {
    if (found) return Promise.resolve();
    running ??= load();
    return running;
  };
  const Component = (props: P) => {
    if (!found) {
      if (failure) throw failure;
      use(preload());
    }
    return found ? createElement(found, props) : null;
  };
  all.add({ preload, failed: () => failure !== undefined });
  return Object.assign(Component, { preload });
}

/** Fetches everything that is still missing, one after the other, so that it is here when the server is not. */
export async function fetchAll(): Promise<void> {
  // What a fetched part itself brings along is in the set by the time the loop gets there.
  for (const { preload } of all) await preload();
}

/** Tries again what failed; true when nothing is missing any more. */
export async function fetchFailed(): Promise<boolean> {
  const failed = [...all].filter((entry) => entry.failed());
  await Promise.all(failed.map(({ preload }) => preload()));
  return failed.every((entry) => !entry.failed());
}
