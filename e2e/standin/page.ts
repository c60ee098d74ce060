/**
 * Functions that are injected into pages as source text, so each is complete in itself. Two worlds share a document as they do in
 * Electron: the page's own, and an isolated one with the preload. Between them only the bridge's methods cross, as promises.
 */

/** In the page's world: receives the names of the bridge's methods and puts a frozen object in place. */
export function pageHalf(toPreload: string, toPage: string): void {
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: unknown): void }>();
  let lastId = 0;
  const clone = (value: unknown): unknown => {
    if (typeof value === 'function' || typeof value === 'symbol') {
      throw new DOMException('An object could not be cloned.', 'DataCloneError');
    }
    return value;
  };
  const call =
    (method: string) =>
    (...args: unknown[]): Promise<unknown> =>
      new Promise((resolve, reject) => {
        lastId += 1;
        const message = { id: lastId, method, args: args.map((value) => ({ value: clone(value) })) };
        waiting.set(lastId, { resolve, reject });
        dispatchEvent(new CustomEvent(toPreload, { detail: JSON.stringify(message) }));
      });
  addEventListener(toPage, (event) => {
    const message = JSON.parse((event as CustomEvent<string>).detail) as {
      key?: string;
      methods?: string[];
      id: number;
      value?: unknown;
      error?: string;
    };
    if (message.key !== undefined) {
      const api = Object.freeze(Object.fromEntries((message.methods ?? []).map((name) => [name, call(name)])));
      Object.defineProperty(globalThis, message.key, { value: api, enumerable: true });
      return;
    }
    const caller = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.error === undefined) caller?.resolve(message.value);
    else caller?.reject(new Error(message.error));
  });
}

/** In the isolated world: what a sandboxed preload sees, and nothing more. */
export function preloadHalf(
  toPreload: string,
  toPage: string,
  binding: string,
  preload: (require: (name: string) => unknown, module: unknown, exports: unknown, process: unknown) => void,
): void {
  const world = globalThis as unknown as Record<string, (text: string) => void>;
  const toMain = world[binding];
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: unknown): void }>();
  let lastId = 0;
  world[`${binding}Answer`] = (text) => {
    const { id, value, error } = JSON.parse(text) as { id: number; value?: unknown; error?: string };
    const caller = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) caller?.resolve(value);
    else caller?.reject(new Error(error));
  };
  const ipcRenderer = {
    invoke: (channel: string, ...args: unknown[]) =>
      new Promise((resolve, reject) => {
        lastId += 1;
        waiting.set(lastId, { resolve, reject });
        toMain?.(JSON.stringify({ id: lastId, channel, args: args.map((value) => ({ value })) }));
      }),
  };
  const send = (message: object): boolean =>
    dispatchEvent(new CustomEvent(toPage, { detail: JSON.stringify(message) }));
  const contextBridge = {
    exposeInMainWorld: (key: string, api: Record<string, (...args: unknown[]) => Promise<unknown>>) => {
      addEventListener(toPreload, (event) => {
        const { id, method, args } = JSON.parse((event as CustomEvent<string>).detail) as {
          id: number;
          method: string;
          args: { value?: unknown }[];
        };
        api[method]?.(...args.map(({ value }) => value)).then(
          (value) => send({ id, value }),
          (error: unknown) => send({ id, error: error instanceof Error ? error.message : String(error) }),
        );
      });
      send({ key, methods: Object.keys(api) });
    },
  };
  const require = (name: string): unknown => {
    if (name === 'electron') return { contextBridge, ipcRenderer };
    throw new Error(`module not found: ${name}`);
  };
  const module = { exports: {} };
  preload(require, module, module.exports, { type: 'renderer', sandboxed: true, contextIsolated: true, env: {} });
}
