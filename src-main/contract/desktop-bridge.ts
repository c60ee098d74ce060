/**
 * The desktop bridge: only what a browser cannot do. Main and preload and renderer
 * all follow this one type; `BRIDGE_CHANNELS` is the list the preload exposes and main serves.
 * In a browser `window.proviso` is absent.
 */

/** What happens when the last window is closed. `ask` until the user has chosen once. */
export type CloseChoice = 'ask' | 'keep-running' | 'quit';

export interface DesktopBridge {
  /** Operating system, product and Electron versions for the help screen. */
  about(): Promise<{ platform: string; version: string; electron: string; node: string }>;
  /** Opens the folder with the data directory in the file manager. */
  openDataFolder(): Promise<void>;
  /** File dialog; answers undefined when cancelled. `purpose` picks title and filters in main. */
  chooseFile(purpose: 'license' | 'content' | 'upgrade-package' | 'certificate'): Promise<string | undefined>;
  /** Saves text through a save dialog; answers the chosen path or undefined. */
  saveFile(suggestedName: string, text: string): Promise<string | undefined>;
  /** Operating system notification. */
  notify(title: string, body: string): Promise<void>;
  /** The operating system's key store; `available` is false where there is none, then nothing is ever stored. */
  keyStoreAvailable(): Promise<boolean>;
  rememberSession(token: string): Promise<void>;
  recallSession(): Promise<string | undefined>;
  forgetSession(): Promise<void>;
  /** Native window colours follow the chosen theme. */
  setTheme(theme: 'system' | 'light' | 'dark'): Promise<void>;
  closeChoice(): Promise<CloseChoice>;
  setCloseChoice(choice: CloseChoice): Promise<void>;
}

/** Every method of the bridge, once. `satisfies` keeps the list and the type in step. */
export const BRIDGE_CHANNELS = {
  about: true,
  openDataFolder: true,
  chooseFile: true,
  saveFile: true,
  notify: true,
  keyStoreAvailable: true,
  rememberSession: true,
  recallSession: true,
  forgetSession: true,
  setTheme: true,
  closeChoice: true,
  setCloseChoice: true,
} as const satisfies Record<keyof DesktopBridge, true>;
