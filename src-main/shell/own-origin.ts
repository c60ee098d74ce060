/** Which addresses are ours. Everything the window may show, load or save comes from the one origin of our listener. */

/** True when `url` lies on `origin` (`https://127.0.0.1:8092`); also for a `blob:` made by a page of ours. */
export function isOwn(url: string, origin: string): boolean {
  return URL.canParse(url) && new URL(url).origin === origin;
}

/** True for the pages of the user interface: the only documents the window shows. */
export function isOwnPage(url: string, origin: string): boolean {
  return isOwn(url, origin) && new URL(url).protocol === 'https:' && new URL(url).pathname.startsWith('/ui/');
}

const NETWORK = /^(https?|wss?|ftp):$/;

/** True when loading `url` would reach over the network to anybody but our listener. */
export function isForeignRequest(url: string, origin: string): boolean {
  if (!URL.canParse(url)) return true;
  const { protocol, host } = new URL(url);
  if (!NETWORK.test(protocol)) return false;
  return host !== new URL(origin).host || !(protocol === 'https:' || protocol === 'wss:');
}

/** A frame that asked over the bridge, as much of it as decides. */
export interface Asker {
  readonly url: string;
  readonly parent: unknown;
}

/** Only the top frame of a page of ours may use the bridge; a frame that is gone or sits inside a page may not. */
export function mayUseBridge(frame: Asker | null | undefined, origin: string): boolean {
  return frame !== null && frame !== undefined && frame.parent === null && isOwnPage(frame.url, origin);
}
