/** A receiver in a process of its own, as receivers are: it reads the JSON it gets and answers JSON. Reports arrivals that ask for it. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

let count = 0;
const server = createServer((request, response) => {
  const arrived = request.headers['x-arrival'] === undefined ? undefined : Date.now();
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const machine = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { Uuid?: string };
    const answer = JSON.stringify({ received: ++count, machine: machine.Uuid });
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(answer) });
    response.end(answer);
    if (arrived !== undefined) process.send?.({ id: request.headers['x-delivery-id'], arrived });
  });
});
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.on('disconnect', () => process.exit());
