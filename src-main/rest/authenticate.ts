/**
 * Who asks (wire-format.md 1.4), in order: header `Authorization`, else query parameter `token`; Basic makes a one-use identity,
 * Bearer is checked against the three secrets. Bearer is synchronous: it is on every request.
 */
import type { Access, Actor, RequestOrigin } from '../access/index.ts';
import { Problem } from '../contract/errors.ts';

const malformed = (): Problem => new Problem('no-credentials', 'Credentials are missing or malformed');

type Credentials =
  | { readonly kind: 'bearer'; readonly token: string }
  | { readonly kind: 'basic'; readonly user: string; readonly password: string };

function basic(pair: string): Credentials {
  const colon = pair.indexOf(':');
  if (colon < 0) throw malformed();
  return { kind: 'basic', user: pair.slice(0, colon), password: pair.slice(colon + 1) };
}

/** Reads credentials; throws Problem `no-credentials`. */
function readCredentials(header: string | undefined, queryToken: string | undefined): Credentials {
  if (header === undefined) {
    if (!queryToken) throw malformed();
    return queryToken.includes(':') ? basic(queryToken) : { kind: 'bearer', token: queryToken };
  }
  const parts = header.split(' ');
  if (parts.length !== 2) throw malformed();
  const [scheme, value] = parts as [string, string];
  if (scheme === 'Bearer' && value !== '') return { kind: 'bearer', token: value };
  if (scheme !== 'Basic' || !/^[A-Za-z0-9+/]+={0,2}$/.test(value) || value.length % 4 !== 0) throw malformed();
  return basic(Buffer.from(value, 'base64').toString('utf8'));
}

/** Resolves credentials to an actor: at once for a token, later for a password. Throws or rejects with a Problem. */
export function authenticate(
  access: Access,
  header: string | undefined,
  queryToken: string | undefined,
  address: string,
  origin: RequestOrigin,
): Actor | Promise<Actor> {
  const credentials = readCredentials(header, queryToken);
  return credentials.kind === 'bearer'
    ? access.bearer(credentials.token, origin)
    : access.basic(credentials.user, credentials.password, address, origin.requestId);
}
