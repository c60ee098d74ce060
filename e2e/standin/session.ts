/** The default session of the stand-in: it keeps what the app decided and lets the host ask for it. */
import { createHash } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { connect as connectTls } from 'node:tls';
import type { Session } from 'electron';
import { Preventable } from './app.ts';
import type { Like } from './wire.ts';

type Param<M extends keyof Session> = Session[M] extends (handler: infer H, ...rest: never[]) => unknown
  ? NonNullable<H>
  : never;
type OnBeforeRequest = (details: { url: string }, answer: (response: { cancel: boolean }) => void) => void;

/** Permissions that the host can really grant in Chromium. Electron grants everything an app does not refuse. */
const KNOWN_PERMISSIONS = ['geolocation', 'notifications', 'clipboard-read', 'midi'] as const;

let verify: Param<'setCertificateVerifyProc'> | undefined;
let permissionCheck: Param<'setPermissionCheckHandler'> | undefined;
let permissionRequest: Param<'setPermissionRequestHandler'> | undefined;
let beforeRequest: OnBeforeRequest | undefined;

export const defaultSession = Object.assign(new EventEmitter(), {
  setCertificateVerifyProc: (handler: typeof verify) => {
    verify = handler;
  },
  setPermissionCheckHandler: (handler: typeof permissionCheck) => {
    permissionCheck = handler;
  },
  setPermissionRequestHandler: (handler: typeof permissionRequest) => {
    permissionRequest = handler;
  },
  setDevicePermissionHandler: () => undefined,
  setDisplayMediaRequestHandler: () => undefined,
  webRequest: {
    onBeforeRequest: (handler: OnBeforeRequest) => {
      beforeRequest = handler;
    },
  },
} satisfies Like<Session>);

/** What a page on `origin` may do without being stopped by either handler of the app. */
export function grantedPermissions(origin: string): string[] {
  return KNOWN_PERMISSIONS.filter((permission) => {
    let granted = permissionRequest === undefined;
    permissionRequest?.(
      null as never,
      permission,
      (answer) => {
        granted = answer;
      },
      { requestingUrl: origin, isMainFrame: true },
    );
    return granted && (permissionCheck?.(null, permission, origin, null as never) ?? true);
  });
}

export function mayRequest(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    if (beforeRequest === undefined) resolve(true);
    else beforeRequest({ url }, ({ cancel }) => resolve(!cancel));
  });
}

export function mayDownload(url: string): boolean {
  const event = new Preventable();
  defaultSession.emit('will-download', event, { getURL: () => url });
  return !event.defaultPrevented;
}

/** Shows the app the certificate that the server really presents, as Chromium would. */
export function mayConnect(hostname: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connectTls({ host: hostname, port, rejectUnauthorized: false }, () => {
      const presented = socket.getPeerX509Certificate();
      const trusted = socket.authorized;
      socket.end();
      if (presented === undefined || verify === undefined) {
        resolve(trusted);
        return;
      }
      const fingerprint = `sha256/${createHash('sha256').update(presented.raw).digest('base64')}`;
      const certificate = { data: presented.toString(), fingerprint };
      verify({ hostname, certificate } as never, (result) => resolve(result === 0 || (result === -3 && trusted)));
    });
    // Nobody listens, or no TLS: the browser itself reports it better.
    socket.on('error', () => resolve(true));
  });
}
