/**
 * A receiver of callbacks, run as a process of its own (`node e2e/receiver.ts`): what arrives is told to the parent, and the answer
 * is what the parent last asked for. Plain HTTP on a free port of the loopback.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Answer, FromReceiver } from './receiver-client.ts';

let answers: Answer[] = [{ status: 200, headers: {}, body: '', delayMs: 0 }];
const tell = (message: FromReceiver): void => void process.send?.(message);

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const { method = '', url = '', headers } = request;
    tell({ kind: 'request', request: { method, url, headers, body: Buffer.concat(chunks).toString() } });
    // Several answers are given in turn; the last one stays.
    const [answer] = answers.length > 1 ? answers.splice(0, 1) : answers;
    if (answer === undefined) return;
    setTimeout(() => response.writeHead(answer.status, answer.headers).end(answer.body), answer.delayMs);
  });
});
process.on('message', (next: Answer[]) => {
  answers = next;
  tell({ kind: 'ready' });
});
process.on('disconnect', () => process.exit(0));
server.listen(0, '127.0.0.1', () => {
  tell({ kind: 'listening', url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
});
