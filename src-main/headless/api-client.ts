/** A small client of a running server, for commands. The certificate is self-signed: the endpoint is what the caller trusts. */
import { Agent, request } from 'undici';
import type { Json } from '../kit/json.ts';

export interface ApiCall {
  readonly endpoint: string;
  readonly token: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: Json;
}

/** Resolves to the JSON answer; throws with the sentences of the server when it refuses. */
export async function callApi({ endpoint, token, method, path, body }: ApiCall): Promise<Json> {
  const dispatcher = new Agent({ connect: { rejectUnauthorized: false } });
  try {
    const answer = await request(new URL(path, endpoint), {
      dispatcher,
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.body.text();
    const value = text === '' ? null : (JSON.parse(text) as Json);
    if (answer.statusCode < 400) return value;
    const messages = (value as { Messages?: readonly string[] } | null)?.Messages ?? ['The server gave no reason'];
    throw new Error(`${endpoint} answered ${answer.statusCode}: ${messages.join('; ')}`);
  } finally {
    await dispatcher.close();
  }
}
