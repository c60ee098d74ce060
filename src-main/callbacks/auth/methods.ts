/** Credentials by auth method (service.md, Callback authentication). Tokens are cached here and nowhere else. */
import type { AuthConfig, PluginConfig } from '../config.ts';
import type { Transport } from '../http/pools.ts';
import type { HttpContext } from '../http/send.ts';
import type { Clock } from '../ports.ts';
import type { Stop } from '../stop.ts';
import { runProgram } from './exec.ts';
import { AuthFailure, checkedToken } from './failure.ts';
import { requestToken, type Token } from './json-token.ts';
import { SingleFlight } from './single-flight.ts';

export interface Credentials {
  readonly headers: Readonly<Record<string, string>>;
  /** For masking. */
  readonly secrets: readonly string[];
  /** The bearer token; empty for basic. */
  readonly token: string;
}

interface Cached {
  readonly token: string;
  /** Of the monotonic clock. */
  readonly until: number;
}

interface AuthDeps {
  readonly http: HttpContext;
  readonly clock: Clock;
  readonly execTimeoutMs: number;
}

/** The receivers there are expect the token in either header. */
function bearer(token: string): Credentials {
  const value = `Bearer ${token}`;
  return { headers: { Authorization: value, Authentication: value }, secrets: [token], token };
}

export class AuthMethods {
  readonly #deps: AuthDeps;
  readonly #cache = new Map<string, Cached>();
  readonly #tokens = new SingleFlight<Token>();
  readonly #programs = new SingleFlight<string>();

  constructor(deps: AuthDeps) {
    this.#deps = deps;
  }

  /** Rejects with AuthFailure, or Stopped. `rejected` is a token that the service turned down: it is not used again. */
  async credentials(
    config: PluginConfig,
    transport: Transport,
    auth: AuthConfig,
    rejected: string,
    stop: Stop,
  ): Promise<Credentials> {
    switch (auth.type) {
      case 'basic': {
        const pair = Buffer.from(`${auth.username}:${auth.password}`).toString('base64');
        return { headers: { Authorization: `Basic ${pair}` }, secrets: [auth.password, pair], token: '' };
      }
      case 'exec':
        return bearer(checkedToken(await this.#run(auth.path, stop), `the program ${auth.path}`));
      case 'json-token': {
        // Another configuration under the same name is another key: changes take effect at once.
        const key = JSON.stringify([config.plugin, auth, transport.proxy]);
        const cached = this.#cache.get(key);
        if (cached && cached.token !== rejected && cached.until > this.#deps.clock.monotonic())
          return bearer(cached.token);
        this.#cache.delete(key);
        const { http, clock } = this.#deps;
        const { token } = await this.#tokens.join(key, stop, async (own) => {
          const fresh = await requestToken(http, auth, transport, clock, own);
          if (fresh.lifetime > 0)
            this.#cache.set(key, { token: fresh.token, until: clock.monotonic() + fresh.lifetime * 1000 });
          return fresh;
        });
        return bearer(token);
      }
    }
  }

  /** Backs GetAuthString. Rejects with the sentence for the template error, or Stopped. */
  async authString(config: PluginConfig, name: string, stop: Stop): Promise<string> {
    const auth = config.auths.get(name);
    if (!auth) throw new AuthFailure(`Failed to find ${name} in auths for ${config.plugin}`);
    if (auth.type !== 'exec') throw new AuthFailure(`auth ${name} is ${auth.type}; GetAuthString works with exec only`);
    return this.#run(auth.path, stop);
  }

  /** Forgets tokens that have run out. */
  sweep(): void {
    const now = this.#deps.clock.monotonic();
    for (const [key, cached] of this.#cache) if (cached.until <= now) this.#cache.delete(key);
  }

  #run(path: string, stop: Stop): Promise<string> {
    const { clock, execTimeoutMs } = this.#deps;
    return this.#programs.join(path, stop, (own) => runProgram(path, execTimeoutMs, clock, own));
  }
}
