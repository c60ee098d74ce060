/** A small client of a running server, for commands. The certificate is self-signed: the endpoint is what the caller trusts. */
import { Agent, request } from 'undici';
import type { Json } from '../kit/json.ts';

interface ApiCall {
  readonly endpoint: string;
  readonly token: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: Json;
}

/** The answer, when it is JSON: something else than our server may be listening. */
function jsonOf(text: string): Json {
  try {
    return text === '' ? null : (JSON.parse(text) as Json);
  } catch {
    return null;
  }
}

/** Resolves to the JSON answer; throws with the sentences of the server when it refuses. */
export async function callApi({ endpoint, token, method, path, body }: ApiCall): Promise<Json> {
  const dispatcher = new Agent({ connect: { rejectUnauthorized: false } });
  try {
    const url = URL.canParse(path, endpoint) ? new URL(path, endpoint) : undefined;
    if (!url) throw new Error(`${endpoint} is no address. Write it as https://HOST:PORT`);
    const answer = await request(url, {
      dispatcher,
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch((error: unknown) => {
      const why = (error as { code?: string }).code ?? (error instanceof Error ? error.message : String(error));
      throw new Error(`${endpoint} does not answer (${why}). Is the server running, and is this its address?`, {
        cause: error,
      });
    });
    const value = jsonOf(await answer.body.text());
    if (answer.statusCode < 400) return value;
    const messages = (value as { Messages?: readonly string[] } | null)?.Messages ?? ['The server gave no reason'];
    throw new Error(`${endpoint} answered ${answer.statusCode}: ${messages.join('; ')}`);
  } finally {
    await dispatcher.close();
  }
}
