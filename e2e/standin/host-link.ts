/** The way from the app's process to the host that owns the browser. electron.ts connects it before anything is asked. */
import type { Ask } from './rpc.ts';
import type { HostSide } from './wire.ts';

let ask: Ask | undefined;

export function connectHost(connected: Ask): void {
  ask = connected;
}

const via =
  (method: keyof HostSide) =>
  async (...args: unknown[]): Promise<void> => {
    await ask?.(method, ...args);
  };

export const host: HostSide = {
  create: via('create'),
  load: via('load'),
  close: via('close'),
  keepsPage: async (window) => (await ask?.('keepsPage', window)) === true,
  reload: via('reload'),
  focus: via('focus'),
  theme: via('theme'),
};
