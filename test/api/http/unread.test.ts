/** A request that is refused early: the service reads nothing of its body, and leaves its connection in order. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { Agent } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { AppError } from '../../../src/lib/errors.js';
import type { HttpServer } from '../../../src/api/http/server.js';
import { fakeIntake, openSocket, readToEnd, send, startServer } from '../../support/http.js';
import { waitFor } from '../../support/waitFor.js';

const MIB = 1024 * 1024;
const CONFIRMED = { caller: { actor: 'supplier' as const, org_id: 'o', id: 's' } };

describe('a request without a valid key', () => {
  const intake = fakeIntake();
  let server: HttpServer;
  let slow: HttpServer;
  const refuse = () => Promise.reject(new AppError('unauthorized', 'No such key.'));
  const callers = {
    supplier: (key: string | undefined) =>
      key === 'good'
        ? Promise.resolve({ ...CONFIRMED, confirm: () => Promise.resolve() })
        : refuse(),
    buyer: refuse,
  };
  beforeAll(async () => {
    server = await startServer({ intake, callers });
    slow = await startServer({ intake, callers }, { requestTimeoutMs: 200 });
  });
  afterAll(() => Promise.all([server.close(0), slow.close(0)]));
  beforeEach(() => void intake.requests.splice(0));

  const head = (length: number, more = '', path = '/api/v1/ingest'): string =>
    `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n${more}\r\n`;

  /** The bytes received on the connection so far. */
  function listen(socket: Socket): { text: string } {
    const heard = { text: '' };
    socket.setEncoding('utf8').on('data', (chunk: string) => (heard.text += chunk));
    socket.on('error', () => undefined);
    return heard;
  }

  it.each([
    ['/api/v1/ingest', '{', 'application/json'],
    ['/api/v1/ingest', 'x'.repeat(MIB), 'application/json'],
    ['/api/v1/ping', '{}', 'text/plain'],
    ['/api/webhooks/buyer-outcome', '', 'application/json'],
    ['/api/v1/actions/list_buyers', '{', 'application/json'],
    ['/mcp', '{', 'application/json'],
  ])('is 401 at %s whatever the body is', async (path, body, type) => {
    const headers = { 'content-type': type };
    const reply = await send(server.url + path, { method: 'POST', headers, body });
    expect([reply.status, reply.json?.error]).toEqual([401, 'unauthorized']);
    expect(intake.requests).toEqual([]);
  });

  it('is 401 without its body being inflated', async () => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    const body = gzipSync(Buffer.alloc(MIB));
    const reply = await send(`${server.url}/api/v1/ingest`, { method: 'POST', headers, body });
    expect(reply.status).toBe(401);
  });

  it.each([0, 7])('is 401 at once when %d bytes of its body have come', async (sent) => {
    const socket = await openSocket(server, head(50) + '{"a":1,'.slice(0, sent));
    const heard = listen(socket);
    await waitFor(() => heard.text.includes('"unauthorized"'));
    expect(heard.text).toMatch(/^HTTP\/1\.1 401 /);
    socket.destroy();
  });

  it('leaves its connection in order: the rest of the body is not the next request', async () => {
    const inner = 'GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n';
    const socket = await openSocket(server, head(inner.length + 10));
    const heard = listen(socket);
    await waitFor(() => heard.text.includes('"unauthorized"'));
    socket.write(`${inner}0123456789`);
    socket.write(head(2, 'x-api-key: good\r\n') + '{}');
    await waitFor(() => heard.text.includes('HTTP/1.1 201 '));
    expect(heard.text).not.toContain('"ok"');
    expect(intake.requests).toHaveLength(1);
    socket.destroy();
  });

  it('gets its answer, and then loses its connection, when 30 MB of body follow', async () => {
    const socket = await openSocket(server, head(30 * MIB));
    const heard = listen(socket);
    await waitFor(() => heard.text.includes('"unauthorized"'));
    let written = 0;
    const part = Buffer.alloc(MIB / 4, 'x');
    while (!socket.closed && written < 30 * MIB) {
      written += part.length;
      if (!socket.write(part)) {
        await Promise.race([once(socket, 'drain'), once(socket, 'close')]).catch(() => undefined);
      }
    }
    await waitFor(() => socket.closed);
    expect(heard.text.match(/HTTP\/1\.1/g)).toHaveLength(1);
    expect(intake.requests).toEqual([]);
  });

  it.each([true, false])(
    'gets its answer with 10 MB sent at once, keep-alive %s',
    async (keepAlive) => {
      const agent = new Agent({ keepAlive });
      const body = Buffer.alloc(10 * MIB, 'x');
      for (let n = 0; n < 20; n += 1) {
        const { status } = await send(`${server.url}/api/v1/ingest`, {
          method: 'POST',
          agent,
          body,
          headers: { 'content-type': 'application/json' },
        });
        expect(status).toBe(401);
      }
      agent.destroy();
    },
  );

  it('gets no second answer when the rest of its body never arrives', async () => {
    const text = await readToEnd(await openSocket(slow, `${head(50)}{"a":`));
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 401']);
  });

  it('gets no 100 Continue, and the connection ends', async () => {
    const socket = await openSocket(server, head(50, 'expect: 100-continue\r\n'));
    const text = await readToEnd(socket);
    expect(text).toMatch(/^HTTP\/1\.1 401 /);
    expect(text.toLowerCase()).toContain('connection: close');
  });

  it('gets 100 Continue when its key is valid, and keeps its connection', async () => {
    const socket = await openSocket(server, head(2, 'expect: 100-continue\r\nx-api-key: good\r\n'));
    const heard = listen(socket);
    await waitFor(() => heard.text.includes('100 Continue\r\n\r\n'));
    socket.write('{}');
    await waitFor(() => heard.text.includes('HTTP/1.1 201 '));
    expect(heard.text.toLowerCase()).not.toContain('connection: close');
    socket.destroy();
  });
});

describe('a body that is too large, with a valid key', () => {
  let server: HttpServer;
  const confirm = () => delay(50);
  beforeAll(async () => {
    const known = () => Promise.resolve({ ...CONFIRMED, confirm });
    server = await startServer({ callers: { supplier: known, buyer: known } });
  });
  afterAll(() => server.close(0));

  it('is 413, however much of it comes before the answer is ready', async () => {
    for (const size of [MIB / 2, 6 * MIB]) {
      const body = Buffer.alloc(size, 'x');
      const headers = { 'content-type': 'application/json', 'x-api-key': 'good' };
      const reply = await send(`${server.url}/api/v1/ingest`, { method: 'POST', headers, body });
      expect([reply.status, reply.json?.error]).toEqual([413, 'body_too_large']);
    }
  });

  it('is 413 in place of 100 Continue, when its sender asks before it sends', async () => {
    const asks = `POST /api/v1/ingest HTTP/1.1\r\nhost: x\r\nx-api-key: good\r\nexpect: 100-continue\r\n`;
    const socket = await openSocket(server, `${asks}content-length: ${MIB}\r\n\r\n`);
    const text = await readToEnd(socket);
    expect(text).toMatch(/^HTTP\/1\.1 413 /);
    expect(text.toLowerCase()).toContain('connection: close');
  });
});

describe('a key that has just been revoked', () => {
  it('is 401 with a body that cannot be read too, although this process still remembers it', async () => {
    const confirm = () => Promise.reject(new AppError('unauthorized', 'No such key.'));
    const known = () => Promise.resolve({ ...CONFIRMED, confirm });
    const server = await startServer({ callers: { supplier: known, buyer: known } });
    for (const path of ['/api/v1/ingest', '/api/v1/ping', '/api/webhooks/buyer-outcome']) {
      const { status } = await send(server.url + path, { method: 'POST', body: '{' });
      expect(status).toBe(401);
    }
    await server.close(0);
  });
});
