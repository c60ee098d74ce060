/** From a Problem to status and body (wire-format.md 2), and from an Answer to the wire. */
import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { errorBody, type Problem, sendable } from '../contract/errors.ts';
import type { Answer } from './http.ts';

export const JSON_TYPE = 'application/json; charset=utf-8';

/** Header that names the request in the log and the audit. */
export const REQUEST_ID_HEADER = 'X-Request-Id';

const AUTHENTICATE = { 'WWW-Authenticate': 'dr-provision' } as const;

/** Problems whose answer has no body: clients tell them by that (wire-format.md 1.4). */
const BODILESS = new Set(['no-credentials', 'wrong-credentials']);

/** The answer for a Problem, with the headers its code calls for. */
export function problemAnswer(problem: Problem, method: string, requestId: string): Answer {
  const headers: Record<string, string> = { [REQUEST_ID_HEADER]: requestId };
  if (problem.reason === 'token') Object.assign(headers, AUTHENTICATE);
  if (problem.retryAfterSeconds !== undefined) headers['Retry-After'] = String(problem.retryAfterSeconds);
  if (BODILESS.has(problem.code)) return { status: problem.status, headers };
  return { status: problem.status, body: errorBody(problem, method, requestId), headers };
}

/**
 * Sends an answer. HEAD answers carry the headers only. Throws when the body is nothing JSON can be made of, or too much of it; then
 * nothing has gone out.
 */
export function send(reply: FastifyReply, answer: Answer, method: string): void {
  const { body, headers, chunks } = answer;
  const status = sendable(answer.status);
  const hasBody = method !== 'HEAD' && body !== undefined && !chunks;
  const payload = hasBody ? (Buffer.isBuffer(body) ? body : JSON.stringify(body)) : undefined;
  reply.code(status);
  if (headers) reply.headers(headers);
  const bare = status === 403 || status === 401 ? body === undefined && !chunks : false;
  // Existing clients refuse every answer, even an empty one, that does not say it is JSON; an empty denial says nothing at all.
  if (!bare) reply.header('content-type', answer.contentType ?? JSON_TYPE);
  if (method === 'HEAD' && chunks instanceof Readable) chunks.destroy();
  if (method === 'HEAD' || (body === undefined && !chunks)) {
    // A HEAD may tell the length of what a GET would send. Sent without a payload, since with an empty one a 204 loses its
    // content type, and existing clients refuse a 204 without.
    if (status !== 204 && !(method === 'HEAD' && reply.hasHeader('content-length')))
      reply.header('content-length', '0');
    reply.send();
    return;
  }
  if (chunks instanceof Readable) {
    reply.send(chunks);
    return;
  }
  if (chunks) {
    if (answer.length !== undefined) reply.header('content-length', String(answer.length));
    void pump(reply, chunks);
    return;
  }
  reply.send(payload);
}

/** Writes pieces as the peer takes them, without a stream in between. A peer that goes away ends it. */
async function pump(reply: FastifyReply, chunks: AsyncIterable<Buffer | string>): Promise<void> {
  const { raw } = reply;
  reply.hijack();
  try {
    for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) raw.setHeader(name, value);
    raw.setHeader(REQUEST_ID_HEADER, reply.request.id);
    raw.writeHead(reply.statusCode);
    for await (const piece of chunks) {
      if (raw.destroyed) return;
      if (!raw.write(piece)) await drained(raw);
    }
    raw.end();
  } catch {
    // Half an answer cannot be taken back: cut, so that nobody takes it for a whole one.
    raw.destroy();
  }
}

function drained(raw: FastifyReply['raw']): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      raw.off('drain', done);
      raw.off('close', done);
      resolve();
    };
    raw.once('drain', done);
    raw.once('close', done);
  });
}
