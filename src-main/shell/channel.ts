import type { DesktopBridge } from '../contract/desktop-bridge.ts';

/** Name of the IPC channel that carries one method of the bridge. */
export const channelOf = (method: keyof DesktopBridge): string => `proviso:${method}`;

/** An answer over the bridge. Errors travel as their sentence: Electron would wrap a rejection in its own words. */
export type BridgeAnswer = { readonly value: unknown } | { readonly error: string };
