/** Buyers in a process of their own: `/fast` says yes at once, `/slow/<ms>` after that time. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    const slow = /^\/slow\/(\d+)/.exec(request.url ?? '')?.[1];
    const answer = () => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end('{"ok":true}');
    };
    if (slow === undefined) answer();
    else setTimeout(answer, Number(slow));
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stderr.write(`${JSON.stringify({ msg: 'ready', url: `http://127.0.0.1:${port}` })}\n`);
});
