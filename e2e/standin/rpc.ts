/** Questions and answers over the IPC channel of a child process, in both directions; values are structured clones. */

export type Handlers = Record<string, (...args: never[]) => unknown>;
export type Ask = (method: string, ...args: unknown[]) => Promise<unknown>;

type Message =
  | { readonly kind: 'ask'; readonly id: number; readonly method: string; readonly args: unknown[] }
  | { readonly kind: 'answer'; readonly id: number; readonly ok: boolean; readonly value: unknown };

interface Port {
  readonly connected?: boolean;
  send?(message: Message, done: (error: Error | null) => void): unknown;
  on(event: 'message', listener: (message: unknown) => void): unknown;
  once(event: 'disconnect', listener: () => void): unknown;
}

/** Serves `handlers` to the other side and returns the way to ask it. A question to a side that is gone is rejected. */
export function connect(port: Port, handlers: Handlers): Ask {
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: unknown): void }>();
  let lastId = 0;
  const answer = (id: number, ok: boolean, value: unknown): void => {
    if (port.connected) port.send?.({ kind: 'answer', id, ok, value }, () => undefined);
  };
  port.on('message', (raw) => {
    const message = raw as Message;
    if (message.kind === 'answer') {
      const asked = waiting.get(message.id);
      waiting.delete(message.id);
      if (message.ok) asked?.resolve(message.value);
      else asked?.reject(message.value);
      return;
    }
    const { id, method, args } = message;
    const handle = async (): Promise<unknown> => {
      const handler = handlers[method];
      if (handler === undefined) throw new Error(`stand-in: nobody answers "${method}"`);
      return await handler(...(args as never[]));
    };
    handle().then(
      (value) => answer(id, true, value),
      (error: unknown) => answer(id, false, error instanceof Error ? error : new Error(String(error))),
    );
  });
  const gone = (): Error => new Error('stand-in: the other process is gone');
  port.once('disconnect', () => {
    for (const { reject } of waiting.values()) reject(gone());
    waiting.clear();
  });
  return (method, ...args) =>
    new Promise((resolve, reject) => {
      if (!port.connected) {
        reject(gone());
        return;
      }
      lastId += 1;
      const id = lastId;
      waiting.set(id, { resolve, reject });
      port.send?.({ kind: 'ask', id, method, args }, (error) => {
        if (error === null) return;
        waiting.delete(id);
        reject(error);
      });
    });
}
