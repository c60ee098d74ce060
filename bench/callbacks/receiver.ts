/** A receiver in a process of its own: takes any request and answers `ok`. Prints its port, and the arrival of what asks for it. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const server = createServer((request, response) => {
  const arrived = request.headers['x-arrival'] === undefined ? undefined : Date.now();
  request.resume();
  request.on('end', () => {
    response.writeHead(200, { 'content-type': 'text/plain', 'content-length': 2 });
    response.end('ok');
    if (arrived !== undefined) process.send?.({ id: request.headers['x-delivery-id'], arrived });
  });
});
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.on('disconnect', () => process.exit());
