import { afterEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { Agent } from 'node:http';
import { listen, type HttpServer } from '../../../src/api/http/server.js';
import type { IngestAnswer } from '../../../src/ingest/types.js';
import { ErrorBody } from '../../../src/api/schemas/error.js';
import {
  accepted,
  defer,
  fakeIntake,
  openSocket,
  readToEnd,
  send,
  startServer,
} from '../../support/http.js';
import { waitFor } from '../../support/waitFor.js';
import Koa from 'koa';

const HEAD = 'POST /api/v1/ingest HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n';

/** Status and body of a raw answer that ends the connection. */
function parseRaw(text: string): { status: number; body: unknown } {
  const [head = '', body = ''] = text.split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), body: ErrorBody.strict().parse(JSON.parse(body)) };
}

describe('the server', () => {
  let server: HttpServer;
  afterEach(() => server.close(0));

  it('names the address it listens on', async () => {
    server = await startServer();
    expect(server.port).toBeGreaterThan(0);
    expect(server.url).toBe(`http://127.0.0.1:${server.port}`);
  });

  it('shows a reachable address when it listens on all', async () => {
    server = await startServer({}, { host: '0.0.0.0' });
    expect((await send(`${server.url}/healthz`)).status).toBe(200);
  });

  it('names the address that is in use', async () => {
    server = await startServer();
    await expect(listen(new Koa(), { host: '127.0.0.1', port: server.port })).rejects.toThrow(
      `Cannot listen on 127.0.0.1:${server.port}: listen EADDRINUSE`,
    );
  });

  it('answers what is not HTTP with JSON too', async () => {
    server = await startServer();
    const text = await readToEnd(await openSocket(server, 'hello\r\n\r\n'));
    expect(parseRaw(text)).toMatchObject({ status: 400, body: { error: 'malformed_request' } });
  });

  it('refuses headers over its limit', async () => {
    server = await startServer();
    const bytes = `GET /healthz HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`;
    const text = await readToEnd(await openSocket(server, bytes));
    expect(parseRaw(text)).toMatchObject({ status: 431, body: { error: 'headers_too_large' } });
  });

  it.each([
    ['its headers', 'POST /api/v1/ingest HTTP/1.1\r\nhos'],
    ['its body', `${HEAD}content-length: 999\r\n\r\n{`],
  ])('answers 408 to a client that drips %s', async (_part, bytes) => {
    const intake = fakeIntake();
    server = await startServer({ intake }, { requestTimeoutMs: 100 });
    const socket = await openSocket(server, bytes);
    let text = '';
    socket.on('data', (chunk) => (text += String(chunk)));
    // The server ends the connection under the client, which may find that by its next byte.
    socket.on('error', () => undefined);
    const drip = setInterval(() => socket.writable && socket.write('a'), 20);
    await once(socket, 'close').finally(() => clearInterval(drip));
    expect(parseRaw(text)).toMatchObject({ status: 408, body: { error: 'request_timeout' } });
    expect(intake.requests).toEqual([]);
  });

  it('closes a connection without a request silently', async () => {
    server = await startServer({}, { requestTimeoutMs: 100 });
    expect(await readToEnd(await openSocket(server, ''))).toBe('');
  });

  it('never lets a fault be read as the answer to a request in flight', async () => {
    const decision = defer<IngestAnswer>();
    const intake = fakeIntake(() => decision.promise);
    server = await startServer({ intake });
    const socket = await openSocket(server, `${HEAD}content-length: 2\r\n\r\n{}`);
    await waitFor(() => intake.requests.length > 0);
    socket.write('this is not HTTP\r\n\r\n');
    expect(await readToEnd(socket).catch(() => '')).toBe('');
    decision.resolve(accepted);
    await waitFor(() => intake.answers.length > 0);
    expect(intake.answers).toEqual([['lead-1', false]]);
  });

  it('answers a fault within a body in place of its request', async () => {
    server = await startServer();
    const bytes = `${HEAD}transfer-encoding: chunked\r\n\r\nzz\r\n`;
    const text = await readToEnd(await openSocket(server, bytes));
    expect(parseRaw(text)).toMatchObject({ status: 400, body: { error: 'malformed_request' } });
  });

  it.each([
    ['two lengths that differ', 'content-length: 2\r\ncontent-length: 40\r\n\r\n{}'],
    ['a length beside chunks', 'content-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n'],
    [
      'chunks that are not the last coding',
      'transfer-encoding: chunked, identity\r\n\r\n0\r\n\r\n',
    ],
    ['a blank before a colon', 'content-length : 2\r\n\r\n{}'],
    ['a folded header', 'x: a\r\n content-length: 2\r\ncontent-length: 40\r\n\r\n{}'],
  ])('accepts no request hidden in another by %s', async (_what, framed) => {
    const intake = fakeIntake();
    server = await startServer({ intake });
    const inner = 'GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n';
    const text = await readToEnd(await openSocket(server, `${HEAD}${framed}${inner}`));
    expect(parseRaw(text)).toMatchObject({ status: 400, body: { error: 'malformed_request' } });
    expect(intake.requests).toEqual([]);
  });

  it('does not time out a client during a slow decision', async () => {
    const decision = defer<IngestAnswer>();
    const intake = fakeIntake(() => decision.promise);
    server = await startServer({ intake }, { requestTimeoutMs: 50 });
    const reply = send(`${server.url}/api/v1/ingest`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    await waitFor(() => intake.requests.length > 0);
    const start = performance.now();
    await waitFor(() => performance.now() - start > 200);
    decision.resolve(accepted);
    expect((await reply).status).toBe(201);
  });
});

describe('closing the server', () => {
  it('finishes requests in flight and accepts no more', async () => {
    const decision = defer<IngestAnswer>();
    const intake = fakeIntake(() => decision.promise);
    const server = await startServer({ intake });
    const agent = new Agent({ keepAlive: true });
    const reply = send(`${server.url}/api/v1/ingest`, {
      agent,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    await waitFor(() => intake.requests.length > 0);
    const closed = server.close(5_000);
    await expect(send(`${server.url}/healthz`)).rejects.toThrow('ECONNREFUSED');
    decision.resolve(accepted);
    const { status, headers } = await reply;
    expect(status).toBe(201);
    expect(headers.connection).toBe('close');
    await closed;
    expect(intake.answers).toEqual([['lead-1', true]]);
    agent.destroy();
  });

  it('does not wait for idle connections, used or not', async () => {
    const server = await startServer();
    const agent = new Agent({ keepAlive: true });
    await send(`${server.url}/healthz`, { agent });
    const unused = await openSocket(server);
    unused.on('error', () => undefined);
    // Loopback connections are accepted in order: once this one is answered, the server has accepted the unused one.
    await send(`${server.url}/healthz`);
    const start = performance.now();
    await server.close(5_000);
    expect(performance.now() - start).toBeLessThan(1_000);
    agent.destroy();
    unused.destroy();
  });

  it('answers a request that was sent on a connection just accepted, and not read yet', async () => {
    const server = await startServer();
    const socket = await openSocket(server);
    await send(`${server.url}/healthz`);
    const closed = server.close(5_000);
    socket.write('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n');
    expect(await readToEnd(socket)).toMatch(/^HTTP\/1\.1 200 /);
    await closed;
  });

  it('answers what comes while it lingers, on old and new connections, which end then', async () => {
    const server = await startServer();
    const agent = new Agent({ keepAlive: true });
    await send(`${server.url}/healthz`, { agent });
    const closed = server.close(5_000, 300);
    for (const options of [{ agent }, {}]) {
      const { status, headers } = await send(`${server.url}/healthz`, options);
      expect({ status, connection: headers.connection }).toEqual({
        status: 200,
        connection: 'close',
      });
    }
    await closed;
    await expect(send(`${server.url}/healthz`)).rejects.toThrow('ECONNREFUSED');
    agent.destroy();
  });

  it('answers a request whose headers have begun to come', async () => {
    const server = await startServer();
    const socket = await openSocket(server, 'GET /healthz HTTP/1.1\r\nhost: x\r\nx-more: ');
    // Loopback connections are accepted in order.
    await send(`${server.url}/healthz`);
    const closed = server.close(5_000);
    socket.write('1\r\n\r\n');
    const text = await readToEnd(socket);
    expect(text).toMatch(/^HTTP\/1\.1 200 /);
    expect(text.toLowerCase()).toContain('connection: close');
    await closed;
  });

  it('aborts requests that are not done after the grace period', async () => {
    const intake = fakeIntake(() => defer<IngestAnswer>().promise);
    const server = await startServer({ intake });
    const socket = await openSocket(server, `${HEAD}content-length: 2\r\n\r\n{}`);
    await waitFor(() => intake.requests.length > 0);
    await server.close(50);
    expect(await readToEnd(socket).catch(() => '')).toBe('');
    await waitFor(() => intake.requests[0]?.closed.aborted === true);
  });

  it('may be called twice', async () => {
    const server = await startServer();
    await Promise.all([server.close(100), server.close(100)]);
    await server.close(100);
  });
});
