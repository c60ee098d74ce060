/** What the two processes of the stand-in say to each other, and the type that holds the stand-in to Electron's. */

/** Answered by the host, in the Playwright worker, which owns the browser. */
export interface HostSide {
  create(window: number, options: { preload: string; width: number; height: number; granted: string[] }): Promise<void>;
  load(window: number, url: string): Promise<void>;
  close(window: number): Promise<void>;
  /** True when the page refuses to be unloaded. */
  keepsPage(window: number): Promise<boolean>;
  reload(window: number): Promise<void>;
  focus(window: number): Promise<void>;
  theme(source: string): Promise<void>;
}

/** Answered by the app's process, which runs the real main bundle. */
export interface AppSide {
  /** A page calls `ipcRenderer.invoke`. */
  invoke(window: number, frame: { url: string; top: boolean }, channel: string, args: unknown[]): Promise<unknown>;
  mayRequest(url: string): Promise<boolean>;
  mayConnect(hostname: string, port: number): Promise<boolean>;
  mayNavigate(window: number, url: string): boolean;
  mayOpen(window: number, url: string): boolean;
  mayDownload(url: string): boolean;
  shown(window: number): void;
  gone(window: number, reason: string): void;
  evaluate(source: string, arg: unknown): Promise<unknown>;
  quit(): void;
}

/** Some members of T, under their right names and with what they return; arguments may be looked at less closely. */
export type Like<T> = {
  [K in keyof T]?: T[K] extends (...args: never[]) => infer R ? (...args: never[]) => R : unknown;
};
