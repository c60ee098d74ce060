/** A real server in memory for integration tests: started on a free port, spoken to over HTTPS, cleaned up afterwards. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { installLicense, makeLabLicense } from '../access/license/index.ts';
import { type RunningServer, startServer } from '../assemble.ts';
import type { Json } from '../kit/json.ts';

export interface TestAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Parsed JSON, or the text when it is none; undefined when empty. */
  readonly body: unknown;
  readonly text: string;
}

export interface TestRequest {
  /** Token; `user:password` for Basic; undefined: the default administrator's token; null: no credentials. */
  readonly as?: string | null;
  readonly body?: Json;
  /** Sent as it is, instead of `body`. */
  readonly raw?: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface TestServer {
  readonly server: RunningServer;
  readonly dataDir: string;
  call(method: string, path: string, request?: TestRequest): Promise<TestAnswer>;
  /** Token of a user, made by the default administrator. */
  tokenOf(user: string, query?: string): Promise<string>;
  stop(): Promise<void>;
}

export const ADMIN = 'rocketskates:r0cketsk8ts';

interface TestServerOptions {
  /** Features of a lab license; default `rbac`. */
  readonly features?: readonly string[];
  readonly storage?: 'sqlite' | 'memory';
  readonly dataDir?: string;
  readonly compat?: 'auto' | 'v3' | 'v4';
}

export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'proviso-test-'));
  const features = options.features ?? ['rbac'];
  if (features.length > 0)
    installLicense(dataDir, makeLabLicense(dataDir, { features, days: 30, now: Date.now() }), Date.now());
  const server = await startServer({
    dataDir,
    port: 0,
    mode: 'headless',
    storage: options.storage ?? 'memory',
    ...(options.compat ? { compat: options.compat } : {}),
  });
  const dispatcher = new Agent({ connect: { rejectUnauthorized: false } });
  let adminToken: string | undefined;

  const credentials = async (as: string | null | undefined): Promise<Record<string, string>> => {
    if (as === null) return {};
    if (as === undefined) {
      adminToken ??= await tokenFor(ADMIN, 'rocketskates');
      return { authorization: `Bearer ${adminToken}` };
    }
    return { authorization: as.includes(':') ? `Basic ${Buffer.from(as).toString('base64')}` : `Bearer ${as}` };
  };

  const call = async (method: string, path: string, ask: TestRequest = {}): Promise<TestAnswer> => {
    const body = ask.raw ?? (ask.body === undefined ? undefined : JSON.stringify(ask.body));
    const answer = await request(`${server.url}${path.startsWith('/') ? path : `/api/v3/${path}`}`, {
      dispatcher,
      method: method as 'GET',
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(await credentials(ask.as)),
        ...ask.headers,
      },
      ...(body === undefined ? {} : { body }),
    });
    const text = await answer.body.text();
    let parsed: unknown = text === '' ? undefined : text;
    try {
      parsed = text === '' ? undefined : JSON.parse(text);
    } catch {
      // Not every answer is JSON.
    }
    return { status: answer.statusCode, headers: answer.headers, body: parsed, text };
  };

  const tokenFor = async (as: string | undefined, user: string, query = ''): Promise<string> => {
    const answer = await call('GET', `users/${user}/token${query}`, as === undefined ? {} : { as });
    const { Token } = (answer.body ?? {}) as { Token?: string };
    if (!Token) throw new Error(`no token for ${user}: ${answer.status} ${answer.text}`);
    return Token;
  };

  return {
    server,
    dataDir,
    call,
    tokenOf: (user, query) => tokenFor(undefined, user, query),
    async stop() {
      await dispatcher.close();
      await server.stop();
      if (!options.dataDir) rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
