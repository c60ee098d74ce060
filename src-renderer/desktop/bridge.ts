/** The desktop bridge, or undefined in a browser. Only what REST cannot carry goes through it. */
import type { DesktopBridge } from '../../src-main/contract/desktop-bridge.ts';

declare global {
  interface Window {
    readonly proviso?: DesktopBridge;
  }
}

export const bridge: DesktopBridge | undefined = window.proviso;
