/** The result of a delivery, through the real outbound client, for each misbehavior of a buyer. */
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { readReply } from '../../../src/deliveries/rules/delivery.js';
import type { ResponseRules } from '../../../src/account/buyers/responseSchema.js';
import { post, timed, useDoor } from './doorFixture.js';
import { answer, startPeer } from '../../support/peers.js';

const { answering, door, peer } = useDoor();
const rules: ResponseRules = { accept_when: { path: 'status', equals: 'ok' }, reason_path: 'why' };

const verdictOf = async (url: string, own: ResponseRules | null = null, timeoutMs = 400) =>
  readReply(await door().send(post(url, { timeoutMs })), new Date('2026-11-21T12:00:00Z'), own);

describe.each([
  ['by the default rule', null],
  ['by its own rules', rules],
])('a buyer read %s', (_, own) => {
  it('is unknown when it reads the request and hangs', async () => {
    const { url } = await peer({});
    expect((await verdictOf(url, own)).result).toBe('unknown');
  });

  it('is unknown when it reads the request and resets', async () => {
    const { url } = await peer({ onData: (socket) => socket.resetAndDestroy() });
    expect((await verdictOf(url, own)).result).toBe('unknown');
  });

  it('is unknown when its answer drips on past the deadline', async () => {
    const { url } = await peer({
      onData: (socket) => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{"status":"ok"');
        const drip = setInterval(() => socket.write(' '), 40);
        socket.once('close', () => clearInterval(drip));
      },
    });
    const { value, ms } = await timed(() => verdictOf(url, own));
    expect(value.result).toBe('unknown');
    expect(ms).toBeLessThan(800);
  });

  it('has not received the lead when it refuses connections or has no address', async () => {
    const gone = await startPeer({});
    await gone.close();
    expect((await verdictOf(gone.url, own)).result).toBe('not_taken');
    expect((await verdictOf('http://nonexistent.invalid/', own, 3_000)).result).toBe('not_taken');
  });

  it('has not accepted the lead when it redirects, which is not followed', async () => {
    const elsewhere = await peer({});
    const { url } = await answering(answer('302 Found', '', { Location: elsewhere.url }));
    expect((await verdictOf(url, own)).result).toBe('not_taken');
    expect(elsewhere.connections).toBe(0);
  });

  it.each([
    ['7', 7_000],
    ['Sat, 21 Nov 2026 12:00:30 GMT', 30_000],
  ])('gets no requests until the Retry-After of its 429 or 503: %s', async (header, ms) => {
    for (const status of ['429 Too Many Requests', '503 Service Unavailable']) {
      const { url } = await answering(answer(status, 'wait', { 'Retry-After': header }));
      expect(await verdictOf(url, own)).toMatchObject({ result: 'not_taken', retry_after_ms: ms });
    }
  });

  it('is read up to 256 KiB of an answer of 10 MB', async () => {
    const body = `{"status":"ok","filler":"${'x'.repeat(10_000_000)}"}`;
    const { url } = await answering(answer('200 OK', body));
    const verdict = await verdictOf(url, own, 5_000);
    expect(verdict).toMatchObject(
      own
        ? { result: 'rejected', reason: 'unreadable_answer' }
        : { result: 'accepted', http_status: 200 },
    );
  });

  it('has answered when it says 200 with garbage', async () => {
    const { url } = await answering(answer('200 OK', '<html>\u0000</html>'));
    expect((await verdictOf(url, own)).result).toBe(own ? 'rejected' : 'accepted');
  });
});

describe('a buyer with rules', () => {
  it('accepts and refuses with the same status', async () => {
    const yes = await answering(answer('200 OK', '{"status":"OK"}'));
    expect((await verdictOf(yes.url, rules)).result).toBe('accepted');
    const no = await answering(answer('200 OK', '{"status":"no","why":"full"}'));
    expect(await verdictOf(no.url, rules)).toMatchObject({ result: 'rejected', reason: 'full' });
  });
});

describe('a buyer that packs its answer, though it is asked not to', () => {
  const yes = gzipSync('{"status":"ok","id":"b-7"}');
  const no = gzipSync('Lead declined: duplicate');
  const answers = async (bytes: Buffer, headers: Record<string, string>) =>
    (await peer({ onData: (socket) => socket.write(answerOf(bytes, headers)) })).url;
  const gzipped = (bytes: Buffer) => answers(bytes, { 'Content-Encoding': 'gzip' });
  const byText: ResponseRules = { reject_when: { text_contains: 'declined' } };

  it('has accepted what its packed answer accepts', async () => {
    const verdict = await verdictOf(await gzipped(yes), { ...rules, reference_path: 'id' });
    expect(verdict).toMatchObject({ result: 'accepted', reference: 'b-7' });
  });

  it('has refused what its packed answer refuses', async () => {
    expect((await verdictOf(await gzipped(no), byText)).result).toBe('rejected');
  });

  it('is read by the charset of its answer', async () => {
    const type = { 'Content-Type': 'text/plain; charset=utf-16le' };
    const { result } = await verdictOf(
      await answers(Buffer.from('Lead declined', 'utf16le'), type),
      byText,
    );
    expect(result).toBe('rejected');
  });

  it('has neither accepted nor refused where the answer cannot be unpacked', async () => {
    const said = 'The buyer answered 200; its body is not valid or not complete gzip';
    for (const [bytes, own] of [
      [yes, rules],
      [no, byText],
    ] as const) {
      const url = await gzipped(bytes.subarray(0, -9));
      expect(await verdictOf(url, own)).toEqual({
        result: 'unknown',
        http_status: 200,
        reason: said,
      });
      expect((await verdictOf(url)).result).toBe('accepted');
    }
  });
});

/** A complete answer whose body is bytes. */
function answerOf(bytes: Buffer, headers: Record<string, string>): Buffer {
  const head = answer('200 OK', '', { ...headers, 'Content-Length': String(bytes.length) });
  return Buffer.concat([Buffer.from(head), bytes]);
}
