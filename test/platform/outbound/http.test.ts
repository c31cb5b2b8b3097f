import { randomBytes } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { gzipSync } from 'node:zlib';
import { describe, it, expect } from '@jest/globals';
import { post, signal, useDoor } from './doorFixture.js';
import { answer } from '../../support/peers.js';

const { answering, door, peer } = useDoor();

/** The headers that say who asks, and for what. */
const linesOf = (received: string): string[] =>
  received.split('\r\n').filter((line) => /^(?:user-agent|accept)/i.test(line));

describe('a request that is answered', () => {
  it('returns status, headers and body, and sends what it was given', async () => {
    const buyer = await answering(answer('201 Created', '{"id":7}', { 'X-Ref': 'abc' }));
    const reply = await door().send(post(`${buyer.url}/leads?source=a`));
    expect(reply).toEqual({
      kind: 'answered',
      status: 201,
      headers: { 'content-length': '8', 'x-ref': 'abc' },
      body: '{"id":7}',
    });
    expect(buyer.received).toContain('POST /leads?source=a HTTP/1.1\r\n');
    expect(buyer.received).toContain('content-type: application/json\r\n');
    expect(buyer.received.endsWith('\r\n\r\n{"phone":"+15551234567"}')).toBe(true);
  });

  it('says who sends it, and asks for a plain answer of any type', async () => {
    const buyer = await answering(answer('200 OK'));
    await door().send(post(buyer.url));
    expect(linesOf(buyer.received)).toEqual([
      expect.stringMatching(/^user-agent: Leadwire\/\d+\.\d+\.\d+/),
      'accept: */*',
      'accept-encoding: identity',
    ]);
  });

  it("sends the receiver's own values of these headers alone, whatever their case", async () => {
    const buyer = await answering(answer('200 OK'));
    const own = { 'User-Agent': 'Acme', ACCEPT: 'text/xml', 'accept-encoding': 'gzip' };
    await door().send(post(buyer.url, { headers: own }));
    expect(linesOf(buyer.received)).toEqual([
      'User-Agent: Acme',
      'ACCEPT: text/xml',
      'accept-encoding: gzip',
    ]);
  });

  it('unpacks an answer, whose headers then say nothing of its transport', async () => {
    const bytes = gzipSync('{"id":7}');
    const head = answer('200 OK', '', {
      'Content-Length': String(bytes.length),
      'Content-Encoding': 'gzip',
      'X-Ref': 'abc',
    });
    const buyer = await peer({
      onData: (socket) => socket.write(Buffer.concat([Buffer.from(head), bytes])),
    });
    const http = door();
    for (let n = 0; n < 2; n += 1) {
      expect(await http.send(post(buyer.url))).toEqual({
        kind: 'answered',
        status: 200,
        headers: { 'x-ref': 'abc' },
        body: '{"id":7}',
      });
    }
    expect(buyer.connections).toBe(1);
  });

  it('unpacks a long answer no further than the limit, and closes its connection', async () => {
    const closed = signal();
    const bytes = gzipSync(randomBytes(300_000).toString('hex'));
    const buyer = await peer({
      onConnect: (socket) => socket.once('close', () => closed.give()),
      onData: (socket) => {
        const length = String(bytes.length);
        const head = answer('200 OK', '', { 'Content-Length': length, 'Content-Encoding': 'gzip' });
        socket.write(Buffer.concat([Buffer.from(head), bytes]));
      },
    });
    const reply = await door({ maxResponseBytes: 1_000 }).send(post(buyer.url));
    expect(reply).toMatchObject({
      kind: 'answered',
      body: expect.stringMatching(/^[0-9a-f]{500,1000}$/),
    });
    await closed.given;
  });

  it('sends a GET without a body', async () => {
    const buyer = await answering(answer('200 OK'));
    const reply = await door().send(post(buyer.url, { method: 'GET', body: '' }));
    expect(reply).toMatchObject({ kind: 'answered', status: 200 });
    expect(buyer.received).toMatch(/^GET \/ HTTP\/1\.1\r\n/);
    expect(buyer.received).not.toContain('content-length');
  });

  it('returns a 4xx as an answer', async () => {
    const buyer = await answering(answer('422 Unprocessable Entity', 'bad zip'));
    expect(await door().send(post(buyer.url))).toMatchObject({
      kind: 'answered',
      status: 422,
      body: 'bad zip',
    });
  });

  it('returns a 503 with its Retry-After', async () => {
    const buyer = await answering(answer('503 Service Unavailable', '', { 'Retry-After': '17' }));
    expect(await door().send(post(buyer.url))).toMatchObject({
      kind: 'answered',
      status: 503,
      headers: { 'retry-after': '17' },
    });
  });

  it('skips an early hint and joins repeated headers', async () => {
    const buyer = await answering(
      `HTTP/1.1 103 Early Hints\r\nX-Early: 1\r\n\r\n${answer('200 OK', 'ok', { 'X-A': '1\r\nX-A: 2' })}`,
    );
    expect(await door().send(post(buyer.url))).toEqual({
      kind: 'answered',
      status: 200,
      headers: { 'content-length': '2', 'x-a': '1, 2' },
      body: 'ok',
    });
  });

  it('reuses connections', async () => {
    const buyer = await answering(answer('200 OK'));
    const http = door();
    for (let n = 0; n < 10; n += 1) await http.send(post(buyer.url));
    expect(buyer.connections).toBeLessThanOrEqual(2);
  });

  it('cuts a 10 MB answer at the limit, keeps its status and closes the connection', async () => {
    const closed = signal();
    const buyer = await peer({
      onConnect: (socket) => socket.once('close', () => closed.give()),
      onData: (socket) => socket.write(answer('200 OK', 'x'.repeat(10_000_000))),
    });
    const reply = await door({ maxResponseBytes: 1_000 }).send(post(buyer.url));
    expect(reply).toMatchObject({ kind: 'answered', status: 200, body: 'x'.repeat(1_000) });
    await closed.given;
  });

  it('keeps an answer of exactly the limit whole, and its connection', async () => {
    const buyer = await answering(answer('200 OK', 'x'.repeat(1_000)));
    const http = door({ maxResponseBytes: 1_000, connectionsPerOrigin: 1 });
    await http.send(post(buyer.url));
    expect(await http.send(post(buyer.url))).toMatchObject({ body: 'x'.repeat(1_000) });
    expect(buyer.connections).toBe(1);
  });

  it('reads an answer that came in while the process was held up past the deadline', async () => {
    const buyer = await peer({
      onData: (socket) => {
        socket.write(answer('200 OK', 'in time'));
        const until = performance.now() + 150;
        while (performance.now() < until);
      },
    });
    const sent = door().send(post(buyer.url, { timeoutMs: 100 }));
    expect(await sent).toMatchObject({ kind: 'answered', body: 'in time' });
  });
});

describe('a pooled connection that the buyer closed while it was idle', () => {
  it('is not used for the next request', async () => {
    const closed = signal();
    const buyer = await peer({
      onData: (socket) => {
        socket.write(answer('200 OK', 'ok'));
        setTimeout(() => socket.end(() => closed.give()), 20);
      },
    });
    const http = door();
    await http.send(post(buyer.url));
    await closed.given;
    expect(await http.send(post(buyer.url))).toMatchObject({ kind: 'answered', body: 'ok' });
    expect(buyer.connections).toBe(2);
  });

  it('is not kept when the buyer says it closes soon', async () => {
    const buyer = await answering(answer('200 OK', 'ok', { 'Keep-Alive': 'timeout=1' }));
    const http = door();
    await http.send(post(buyer.url));
    await http.send(post(buyer.url));
    expect(buyer.connections).toBe(2);
  });
});
