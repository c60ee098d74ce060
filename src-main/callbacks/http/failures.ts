/** Why no usable answer came, in sentences an operator can act on. */
import { EgressRefused } from './connect.ts';

/** Repeating cannot help; nothing was sent, or what came back is of no use. */
export class Refused extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'Refused';
  }
}

interface TransportFailure {
  readonly message: string;
  readonly refused: boolean;
}

interface Coded {
  readonly name?: string;
  readonly code?: unknown;
  readonly message: string;
  readonly cause?: unknown;
  readonly errors?: readonly Coded[];
}

/** An error that stands for several (one per address) is represented by its first. */
function innermost(error: Coded): Coded {
  if (error.errors?.[0]) return innermost(error.errors[0]);
  if (error.cause instanceof Error) return innermost(error.cause);
  return error;
}

const CERTIFICATE = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'CERT_UNTRUSTED',
  'CERT_REVOKED',
  'CERT_SIGNATURE_FAILURE',
  'ERR_TLS_CERT_ALTNAME_INVALID',
]);

function sentence(code: string, message: string, target: string): string {
  if (CERTIFICATE.has(code)) return `the certificate of ${target} is not trusted (${message}); see callback/ca`;
  switch (code) {
    case 'ECONNREFUSED':
      return `${target} refused the connection`;
    case 'UND_ERR_SOCKET':
      // The client library's word for it; a 100 Continue is never asked for, since no request of ours has an Expect.
      if (message === 'bad response') return `${target} sent an answer that nobody asked for, such as 100 Continue`;
      return `the connection to ${target} broke: ${message}`;
    case 'ECONNRESET':
    case 'EPIPE':
      return `the connection to ${target} broke: ${message}`;
    case 'UND_ERR_CONNECT_TIMEOUT':
    case 'ETIMEDOUT':
      return `no connection to ${target} could be made in time`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `the host name in ${target} cannot be resolved (${code})`;
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'ENETDOWN':
      return `there is no network route to ${target} (${code})`;
    default:
      if (code.startsWith('ERR_SSL')) return `${target} does not speak TLS as expected (${message})`;
      return `the request to ${target} failed: ${message}${code === '' || message.includes(code) ? '' : ` (${code})`}`;
  }
}

/** `target` is what the sentence names: an origin, through a proxy where there is one. */
export function failureOf(error: Error, target: string): TransportFailure {
  const cause = innermost(error);
  const refused = error instanceof EgressRefused || cause instanceof EgressRefused || error instanceof Refused;
  if (refused) return { message: cause.message, refused };
  const code = typeof cause.code === 'string' ? cause.code : '';
  if (cause.name === 'HTTPParserError')
    return { message: `${target} does not speak HTTP as expected (${cause.message})`, refused };
  if (code === 'UND_ERR_INVALID_ARG') return { message: `the request cannot be sent: ${cause.message}`, refused: true };
  return { message: sentence(code, cause.message, target), refused };
}
