/**
 * The fence around the window. Pages of ours are trusted with nothing beyond REST and the bridge:
 *
 *   TLS         only the pinned certificate               (pinned-certificate.ts)
 *   requests    only to our own listener                  (own-origin.ts)
 *   navigation  only between pages of ours; no new windows, no webviews
 *   permissions none but writing to the clipboard; no devices, no screen
 *   downloads   only what our own origin hands out
 *
 * What is stopped is logged once per kind and target, because a screen that runs into the fence is a defect.
 */
import type { Event, Session, WebContents } from 'electron';
import type { Log } from '../kit/log.ts';
import { isForeignRequest, isOwn, isOwnPage } from './own-origin.ts';
import { type Pin, verifyPinned } from './pinned-certificate.ts';

export type Refusal = (kind: string, target: string) => void;

/** Logs a refusal the first time; a page that tries in a loop does not fill the disk. */
export function refusalLog(log: Log): Refusal {
  const seen = new Set<string>();
  return (kind, target) => {
    const what = `${kind} ${target.slice(0, 500)}`;
    if (seen.has(what) || seen.size >= 1_000) return;
    seen.add(what);
    log.warn({ kind, target: target.slice(0, 500) }, 'the window was refused something');
  };
}

/** Copying to the clipboard is how every screen shares what it shows; reading it is not needed. */
const GRANTED = 'clipboard-sanitized-write';

export function guardSession(session: Session, origin: string, pin: Pin, refused: Refusal): void {
  session.setCertificateVerifyProc((request, answer) => {
    const result = verifyPinned(request, pin);
    if (result !== 0) refused('certificate', request.hostname);
    answer(result);
  });
  session.webRequest.onBeforeRequest((details, answer) => {
    const cancel = isForeignRequest(details.url, origin);
    if (cancel) refused('request', details.url);
    answer({ cancel });
  });
  session.setPermissionRequestHandler((_contents, permission, answer, details) => {
    const granted = permission === GRANTED && isOwn(details.requestingUrl, origin);
    if (!granted) refused('permission', permission);
    answer(granted);
  });
  session.setPermissionCheckHandler(
    (_contents, permission, requestingOrigin) => permission === GRANTED && isOwn(requestingOrigin, origin),
  );
  session.setDevicePermissionHandler(() => false);
  session.setDisplayMediaRequestHandler((_request, answer) => {
    refused('permission', 'display-capture');
    answer({});
  });
  session.on('will-download', (event, item) => {
    if (isOwn(item.getURL(), origin)) return;
    refused('download', item.getURL());
    event.preventDefault();
  });
}

export function guardContents(contents: WebContents, origin: string, refused: Refusal): void {
  const stayHome = (event: Pick<Event, 'preventDefault'>, url: string): void => {
    if (isOwnPage(url, origin)) return;
    refused('navigation', url);
    event.preventDefault();
  };
  contents.on('will-navigate', (event) => stayHome(event, event.url));
  contents.on('will-redirect', (event) => stayHome(event, event.url));
  contents.on('will-frame-navigate', (event) => stayHome(event, event.url));
  contents.on('will-attach-webview', (event) => {
    refused('webview', contents.getURL());
    event.preventDefault();
  });
  contents.setWindowOpenHandler(({ url }) => {
    refused('window', url);
    return { action: 'deny' };
  });
}
