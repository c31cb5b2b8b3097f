import { performance } from 'node:perf_hooks';
import { describe, it, expect } from '@jest/globals';
import { createOutboundHttp } from '../../../src/platform/outbound/http.js';
import { post, timed, useDoor } from './doorFixture.js';
import { answer, startPeer } from '../../support/peers.js';

const { answering, door, peer } = useDoor();

describe('a request that was written and not answered', () => {
  it('is abandoned at its deadline when the buyer hangs', async () => {
    const buyer = await peer({});
    const { value, ms } = await timed(() => door().send(post(buyer.url, { timeoutMs: 400 })));
    expect(value).toEqual({ kind: 'no_answer', reason: 'no answer in time' });
    expect(ms).toBeGreaterThan(395);
    expect(ms).toBeLessThan(600);
  });

  it('is abandoned at its deadline when the buyer drips', async () => {
    const buyer = await peer({
      onData: (socket) => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n');
        const drip = setInterval(() => socket.write('x'), 40);
        socket.once('close', () => clearInterval(drip));
      },
    });
    const { value, ms } = await timed(() => door().send(post(buyer.url, { timeoutMs: 400 })));
    expect(value).toEqual({ kind: 'no_answer', reason: 'no complete answer in time' });
    expect(ms).toBeGreaterThan(395);
    expect(ms).toBeLessThan(600);
  });

  it('is no_answer when the buyer resets after reading it', async () => {
    const buyer = await peer({ onData: (socket) => socket.resetAndDestroy() });
    const reply = await door().send(post(buyer.url));
    expect(reply).toMatchObject({ kind: 'no_answer' });
    expect(buyer.received).toContain('+15551234567');
  });

  it('is no_answer when the buyer closes in the middle of its answer', async () => {
    const buyer = await peer({
      onData: (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf'),
    });
    expect(await door().send(post(buyer.url))).toMatchObject({ kind: 'no_answer' });
  });

  it('is no_answer when the answer is not HTTP', async () => {
    const buyer = await answering('+OK I speak something else\r\n');
    const reply = await door().send(post(buyer.url));
    expect(reply).toMatchObject({
      kind: 'no_answer',
      reason: expect.stringContaining('HTTP/1.1 protocol') as unknown,
    });
  });

  it('is no_answer when the headers never end', async () => {
    const buyer = await answering(`HTTP/1.1 200 OK\r\nX-Long: ${'x'.repeat(100_000)}`);
    expect(await door().send(post(buyer.url))).toMatchObject({ kind: 'no_answer' });
  });

  it('is never written twice', async () => {
    const buyer = await peer({ onData: (socket) => socket.resetAndDestroy() });
    await door().send(post(buyer.url));
    expect(buyer.received.match(/POST/g)).toHaveLength(1);
    expect(buyer.connections).toBe(1);
  });
});

describe('a request that was definitely not written', () => {
  it('is not_sent to a port where nothing listens', async () => {
    const gone = await startPeer({});
    await gone.close();
    const reply = await door().send(post(gone.url));
    expect(reply).toEqual({
      kind: 'not_sent',
      reason: `connect ECONNREFUSED 127.0.0.1:${gone.port}`,
    });
  });

  it('is not_sent to a host that does not exist', async () => {
    const reply = await door().send(post('http://nonexistent.invalid/'));
    expect(reply).toMatchObject({
      kind: 'not_sent',
      reason: expect.stringMatching(/nonexistent\.invalid/) as unknown,
    });
  });

  it('is not answered by a buyer that resets before reading, and nothing was read', async () => {
    const buyer = await peer({ onConnect: (socket) => socket.resetAndDestroy() });
    const reply = await door().send(post(buyer.url));
    expect(['not_sent', 'no_answer']).toContain(reply.kind);
    expect(buyer.received).toBe('');
  });

  it('is not_sent when TLS fails', async () => {
    const buyer = await answering('HTTP/1.1 200 OK\r\n\r\n');
    const reply = await door().send(post(buyer.url.replace('http:', 'https:')));
    expect(reply).toMatchObject({ kind: 'not_sent' });
    expect(buyer.received).not.toContain('+15551234567');
  });

  it('is not_sent when TLS is not established before the deadline', async () => {
    const buyer = await peer({});
    const url = buyer.url.replace('http:', 'https:');
    expect(await door().send(post(url, { timeoutMs: 200 }))).toMatchObject({ kind: 'not_sent' });
  });

  it('is not_sent when its deadline has already passed', async () => {
    const buyer = await answering(answer('200 OK'));
    const reply = await door().send(post(buyer.url, { sendBy: performance.now() - 1 }));
    expect(reply).toEqual({
      kind: 'not_sent',
      reason: 'its time to be sent had passed',
      late: true,
    });
    expect(buyer.connections).toBe(0);
  });

  it('is not_sent after the sender was closed', async () => {
    const http = createOutboundHttp({ allowPrivate: true });
    await http.close();
    expect(await http.send(post('http://127.0.0.1:1/'))).toMatchObject({ kind: 'not_sent' });
  });
});
