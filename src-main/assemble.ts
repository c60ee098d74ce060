/**
 * Configuration in, running server out; with `service.ts` the one place that knows every room. Desktop, headless and tests start
 * the same server through `startServer`.
 */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { HostState } from './contract/host.ts';
import { createHost, loadCertificate, openDataDirectory, StartError } from './host/index.ts';
import { openLog } from './log-file.ts';
import { startService } from './service.ts';
import type { Retention } from './store/index.ts';
import { PRODUCT_VERSION } from './version.ts';

interface ServerOptions {
  readonly dataDir: string;
  /** undefined: 8092, or a free port when that is taken. 0: any free port. */
  readonly port?: number;
  /** Default loopback. Any other address is refused while the default password is unchanged. */
  readonly address?: string;
  readonly mode: HostState['mode'];
  /** Directory of the built renderer; default: beside the bundle. */
  readonly uiDir?: string;
  /** Fields of answers; default: what each client's headers tell. */
  readonly compat?: 'auto' | 'v3' | 'v4';
  /** `memory` keeps nothing: for tests. Default `sqlite`. */
  readonly storage?: 'sqlite' | 'memory';
  /** How much of the change log to keep; default: `DEFAULT_LOG_RETENTION`. */
  readonly logRetention?: Retention;
  /** Milliseconds since 1970; default: the system clock. */
  readonly clock?: () => number;
}

export interface RunningServer {
  /** `https://ADDRESS:PORT`. */
  readonly url: string;
  readonly port: number;
  /** SHA-256 of the certificate, base64: what the desktop window pins. */
  readonly fingerprint: string;
  readonly certificatePem: string;
  readonly dataDir: string;
  state(): HostState;
  /** Drains, flushes and gives the directory back, within five seconds. */
  stop(): Promise<void>;
}

/** Years of work of a busy lab; what is left of the disk belongs to the objects. */
const DEFAULT_LOG_RETENTION: Retention = { maxBytes: 2 * 1024 ** 3 };

const LOOPBACK = '127.0.0.1';
const isLoopback = (address: string): boolean => address === LOOPBACK || address === '::1' || address === 'localhost';

/** The renderer's folder: beside the bundle, or in the checkout when run from source. */
function defaultUiDir(): string {
  const here = dirname(fileURLToPath(import.meta.url));
  const beside = join(here, '../renderer');
  return existsSync(beside) ? beside : join(here, '../out/renderer');
}

/** Starts everything. Throws StartError: one sentence and a hint. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const clock = options.clock ?? Date.now;
  const address = options.address ?? LOOPBACK;
  const directory = openDataDirectory(options.dataDir, PRODUCT_VERSION, new Date(clock()));
  const undo: (() => unknown)[] = [() => directory.release()];
  try {
    const { log, close: closeLog } = openLog(directory.logs);
    undo.unshift(closeLog);
    const certificate = await loadCertificate(directory.tls, address, clock());
    const host = await createHost({
      address,
      port: options.port,
      certificate,
      uiDir: options.uiDir ?? defaultUiDir(),
      version: PRODUCT_VERSION,
      mode: options.mode,
      clock,
      log,
      startService: (url) =>
        startService({
          directory,
          url,
          version: PRODUCT_VERSION,
          clock,
          log,
          compat: options.compat ?? 'auto',
          storage: options.storage ?? 'sqlite',
          logRetention: options.logRetention ?? DEFAULT_LOG_RETENTION,
        }),
    });
    undo.unshift(() => host.close());
    await host.start();
    if (!isLoopback(address) && host.state().defaultPassword) {
      throw new StartError(
        `The address ${address} is refused while the default administrator still has the default password.`,
        'Start on loopback first and change the password.',
      );
    }
    return {
      url: host.url,
      port: host.port,
      fingerprint: certificate.fingerprint,
      certificatePem: certificate.cert,
      dataDir: directory.path,
      state: host.state,
      async stop() {
        for (const step of undo) await step();
      },
    };
  } catch (error) {
    for (const step of undo) await step();
    throw error;
  }
}
