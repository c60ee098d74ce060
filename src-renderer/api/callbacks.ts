/**
 * What the screens read out of a callback plugin's params, and how an answer of `callbackDo` is shown. Pure.
 */
import { isJsonObject, type Json, type JsonObject } from '../../src-main/kit/json.ts';
import type { Plugin } from './types.ts';

export type ResponseMode = 'base64' | 'json' | 'string';

/** One entry of `callback/callbacks`, as far as lists and dialogs need it. */
export interface CallbackEntry {
  readonly plugin: string;
  /** Key in the map: the value of `callback/action`. */
  readonly action: string;
  readonly method: string;
  readonly url: string;
  readonly mode: ResponseMode;
}

/** The configured callbacks of one plugin, in the order of the map; entries that are no object are left out. */
export function callbacksOf(plugin: Plugin): CallbackEntry[] {
  const map = plugin.Params['callback/callbacks'] as Json | undefined;
  if (!isJsonObject(map)) return [];
  return Object.entries(map).flatMap(([action, value]) =>
    isJsonObject(value)
      ? [
          {
            plugin: plugin.Name,
            action,
            method: textOf(value, 'Method') || 'POST',
            url: textOf(value, 'Url'),
            mode: modeOf(value),
          },
        ]
      : [],
  );
}

/** JSON wins where both modes are on. */
function modeOf(callback: JsonObject): ResponseMode {
  if (callback['JsonResponse'] === true) return 'json';
  return callback['StringResponse'] === true ? 'string' : 'base64';
}

function textOf(object: JsonObject, name: string): string {
  const value = object[name];
  return typeof value === 'string' ? value : '';
}

type ShownAnswer =
  | { readonly kind: 'text'; readonly text: string; readonly note: string }
  | { readonly kind: 'json'; readonly value: Json; readonly note: string }
  /** Bytes that are no UTF-8 text; shown as sent. */
  | { readonly kind: 'binary'; readonly base64: string; readonly bytes: number; readonly note: string };

/** An answer ready to show. The mode says what the service did with the body; the value is what it sent. */
export function showAnswer(value: Json, mode: ResponseMode): ShownAnswer {
  if (mode === 'base64' && typeof value === 'string') return decode(value);
  if (typeof value === 'string') return { kind: 'text', text: value, note: 'the body as a string' };
  return { kind: 'json', value, note: 'the body as JSON' };
}

function decode(base64: string): ShownAnswer {
  let bytes: Uint8Array;
  try {
    bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
  } catch {
    return { kind: 'text', text: base64, note: 'the answer as sent; it is not base64' };
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return { kind: 'text', text, note: `decoded from base64, ${bytes.length} bytes` };
  } catch {
    return { kind: 'binary', base64, bytes: bytes.length, note: `not text, ${bytes.length} bytes, shown as base64` };
  }
}

/** What a dry run answers: the request as it would be sent, secrets masked. */
export interface Rendered {
  readonly Method: string;
  readonly Url: string;
  readonly Headers: Readonly<Record<string, string>>;
  /** Null: no body. */
  readonly Body: string | null;
  /** Names of the auth methods in the order they would be tried. */
  readonly Auths: readonly string[];
  /** Why the address would be refused; empty: it would not. */
  readonly Egress: string;
}
