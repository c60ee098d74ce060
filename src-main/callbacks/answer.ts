/** The answer of an external service as the action gives it back (service.md, Callback action). */
import type { Json } from '../kit/json.ts';
import type { CallbackConfig } from './config.ts';

type Answer = { readonly ok: true; readonly value: Json } | { readonly ok: false; readonly reason: string };

/** Base64 by default; JSON; or the text as a JSON string. An empty answer is null as JSON: there is nothing to parse. */
export function decodeAnswer(response: CallbackConfig['response'], body: Buffer): Answer {
  switch (response) {
    case 'base64':
      return { ok: true, value: body.toString('base64') };
    case 'text':
      return { ok: true, value: body.toString('utf8') };
    case 'json': {
      const text = body.toString('utf8').replace(/^\uFEFF/, '');
      if (text.trim() === '') return { ok: true, value: null };
      try {
        return { ok: true, value: JSON.parse(text) as Json };
      } catch {
        // The parser's own words quote the text, which may hold secrets.
        return {
          ok: false,
          reason: 'Callback JSON parse: the answer of the service is not JSON, but JsonResponse is true',
        };
      }
    }
  }
}
