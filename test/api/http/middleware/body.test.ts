import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { deflateSync, gzipSync } from 'node:zlib';
import type { HttpServer } from '../../../../src/api/http/server.js';
import { createLog } from '../../../../src/lib/log.js';
import { createMetrics } from '../../../../src/platform/metrics.js';
import { ErrorBody } from '../../../../src/api/schemas/error.js';
import {
  fakeIntake,
  openSocket,
  send,
  startServer,
  type HttpReply,
} from '../../../support/http.js';
import { waitFor } from '../../../support/waitFor.js';

const LIMIT = 256 * 1024;
const FORM = 'application/x-www-form-urlencoded';

describe('the body of a request', () => {
  const intake = fakeIntake();
  const metrics = createMetrics();
  const faults: unknown[] = [];
  let server: HttpServer;
  beforeAll(async () => {
    const log = createLog('silent', 'test');
    log.warn = (...line: unknown[]) => void faults.push(line);
    log.error = log.warn;
    server = await startServer({ intake, metrics, log });
  });
  afterAll(() => server.close(0));
  beforeEach(() => void intake.requests.splice(0));

  const post = (
    body: string | Buffer | undefined,
    type: string | undefined = 'application/json',
    headers: Record<string, string> = {},
  ): Promise<HttpReply> =>
    send(`${server.url}/api/v1/ingest`, {
      method: 'POST',
      headers: { ...(type === '' ? {} : { 'content-type': type }), ...headers },
      body,
    });

  async function expectRefusal(
    reply: HttpReply,
    status: number,
    error: string,
    message: string,
  ): Promise<void> {
    expect(ErrorBody.strict().parse(reply.json)).toEqual({
      error,
      message,
      request_id: reply.headers['x-request-id'],
    });
    expect(reply.status).toBe(status);
    expect(intake.requests).toEqual([]);
    return Promise.resolve();
  }

  async function received(sending: Promise<HttpReply>): Promise<Record<string, unknown>> {
    expect((await sending).status).toBe(201);
    return intake.requests[0]?.body ?? {};
  }

  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'Application/JSON;charset="UTF-8"',
    'application/vnd.lead+json',
  ])('reads JSON sent as %s', async (type) => {
    const lead = { name: 'Łucja 😀 日本', empty: '', none: null, list: [1], n: 1.5 };
    expect(await received(post(JSON.stringify(lead), type))).toEqual(lead);
  });

  it('reads JSON behind a byte order mark', async () => {
    expect(await received(post('\uFEFF{"a":1}'))).toEqual({ a: 1 });
  });

  it('reads a number of more digits than a double has as the text of its digits', async () => {
    const text = '{"click_id":7615917337430043418,"n":9007199254740991,"list":[-9007199254740993]}';
    const read = {
      click_id: '7615917337430043418',
      n: 9007199254740991,
      list: ['-9007199254740993'],
    };
    expect(await received(post(text))).toEqual(read);
  });

  it('reads a form', async () => {
    const body = await received(post('first_name=Jos%C3%A9+Luis&email=a%40b.co&x=&y', FORM));
    expect(body).toEqual({ first_name: 'José Luis', email: 'a@b.co', x: '', y: '' });
  });

  it('reads a repeated form key as an array', async () => {
    const body = await received(post('phone=1&phone=2&phone=3&a[b]=4', FORM));
    expect(body).toEqual({ phone: ['1', '2', '3'], 'a[b]': '4' });
  });

  it('reads a key that is repeated as often as a body can hold, at once', async () => {
    const body = await received(post('a&'.repeat(131_072), FORM));
    expect(body).toEqual({ a: Array.from({ length: 131_072 }, () => '') });
  }, 5_000);

  it('accepts a replacement character that was really sent', async () => {
    expect(await received(post('a=%EF%BF%BD', FORM))).toEqual({ a: '\uFFFD' });
  });

  it.each([
    ['application/json', '{"__proto__":{"polluted":true},"constructor":1}'],
    [FORM, '__proto__=polluted&constructor=1'],
  ])('keeps __proto__ in %s an ordinary key', async (type, text) => {
    const body = await received(post(text, type));
    expect(Object.keys(body)).toEqual(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(body)).toBe(Object.prototype);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('reads a gzipped body', async () => {
    const zipped = gzipSync('{"a":1}');
    expect(await received(post(zipped, undefined, { 'content-encoding': 'gzip' }))).toEqual({
      a: 1,
    });
  });

  it('accepts a body of exactly the limit', async () => {
    const text = JSON.stringify({ a: 'x'.repeat(LIMIT - 8) });
    expect(text).toHaveLength(LIMIT);
    expect(await received(post(text))).toMatchObject({ a: expect.any(String) });
  });

  it.each([
    ['one byte over the limit', 'x'.repeat(LIMIT + 1), {}],
    ['far over the limit', 'x'.repeat(8 * LIMIT), {}],
    ['over the limit, in chunks', 'x'.repeat(2 * LIMIT), { 'transfer-encoding': 'chunked' }],
    [
      'over the limit once inflated',
      gzipSync('x'.repeat(LIMIT + 1)),
      { 'content-encoding': 'gzip' },
    ],
    [
      'over the limit as sent, of gzip members without content',
      Buffer.concat(Array<Buffer>(LIMIT / 16).fill(gzipSync(''))),
      { 'content-encoding': 'gzip' },
    ],
  ])('refuses a body %s', async (_case, body, headers) => {
    const reply = await post(body, undefined, headers);
    await expectRefusal(reply, 413, 'body_too_large', 'The body is over the limit of 256 KiB.');
  });

  it.each([
    ['an array', '[{"a":1}]', 'The body must be one JSON object; it is an array.'],
    ['null', 'null', 'The body must be one JSON object; it is null.'],
    ['a text', '"lead"', 'The body must be one JSON object; it is a string.'],
    ['a number', '12', 'The body must be one JSON object; it is a number.'],
    ['true', 'true', 'The body must be one JSON object; it is a boolean.'],
    ['nothing', undefined, 'The body is empty; send one JSON object.'],
    ['blanks', '  ', 'The body is not valid JSON.'],
    ['broken JSON', '{"a":1,}', 'The body is not valid JSON at position 7.'],
    ['text', 'hello', 'The body is not valid JSON.'],
    ['two objects', '{}{}', 'The body is not valid JSON at position 2.'],
    [
      'invalid UTF-8',
      Buffer.from([123, 34, 0xff, 34, 58, 49, 125]),
      'The body is not valid UTF-8.',
    ],
    [
      'deep nesting',
      `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
      'The body is nested deeper than 64 levels.',
    ],
  ])('refuses %s', async (_case, body, message) => {
    await expectRefusal(await post(body), 400, 'malformed_body', message);
  });

  it('refuses an empty body even without a content type', async () => {
    const message = 'The body is empty; send one JSON object.';
    await expectRefusal(await post(undefined, ''), 400, 'malformed_body', message);
  });

  it('refuses percent-encoded bytes that are not UTF-8', async () => {
    const message = 'The body has a percent-encoded sequence that is not valid UTF-8.';
    await expectRefusal(await post('a=%FF', FORM), 400, 'malformed_body', message);
  });

  it('refuses a body that is not gzip as declared', async () => {
    const reply = await post('{}', undefined, { 'content-encoding': 'gzip' });
    const message = 'The body is not valid gzip, as Content-Encoding says.';
    await expectRefusal(reply, 400, 'malformed_body', message);
  });

  it('refuses another encoding and names the right one', async () => {
    const reply = await post(deflateSync('{}'), undefined, { 'content-encoding': 'deflate' });
    const message = 'This Content-Encoding is not supported; use gzip, or leave the header out.';
    await expectRefusal(reply, 415, 'unsupported_media_type', message);
  });

  const USE = `use application/json or ${FORM}.`;
  it.each([
    ['', `Content-Type is missing; ${USE}`],
    ['text/plain', `This Content-Type is not supported; ${USE}`],
    ['multipart/form-data; boundary=x', `This Content-Type is not supported; ${USE}`],
    ['application/jsonp', `This Content-Type is not supported; ${USE}`],
    ['application/json; charset=utf-16', 'This charset is not supported; use utf-8.'],
  ])('refuses the content type "%s" and names the right ones', async (type, message) => {
    await expectRefusal(await post('{}', type), 415, 'unsupported_media_type', message);
  });

  it('keeps the connection usable after a body over the limit', async () => {
    const socket = await openSocket(
      server,
      `POST /api/v1/ingest HTTP/1.1\r\nhost: x\r\ncontent-length: ${2 * LIMIT}\r\n\r\n`,
    );
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    socket.write('x'.repeat(2 * LIMIT));
    await waitFor(() => text.includes('body_too_large'));
    socket.write('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n');
    await waitFor(() => text.includes('"status":"ok"'));
    socket.destroy();
  });

  it('cuts off a sender that does not stop', async () => {
    const socket = await openSocket(
      server,
      'POST /api/v1/ingest HTTP/1.1\r\nhost: x\r\ncontent-length: 99999999\r\n\r\n',
    );
    socket.on('error', () => undefined);
    socket.resume();
    let isClosed = false;
    socket.once('close', () => (isClosed = true));
    await waitFor(() => {
      if (!isClosed) socket.write(Buffer.alloc(LIMIT));
      return isClosed;
    });
    expect(intake.requests).toEqual([]);
  });

  const whole = gzipSync(JSON.stringify({ first_name: 'Maria' }));
  it.each([
    ['', '{"first_name":'],
    [' that is gzipped', whole.subarray(0, whole.length / 2)],
  ])(
    'notes a client that leaves in the middle of its body%s, and is no fault',
    async (how, half) => {
      faults.length = 0;
      const left = async (): Promise<number> => {
        const { values } = await metrics.httpRequests.get();
        return values.find(({ labels }) => labels.status === 'closed')?.value ?? 0;
      };
      const before = await left();
      const encoding = how === '' ? '' : 'content-encoding: gzip\r\n';
      const socket = await openSocket(
        server,
        `POST /api/v1/ingest HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n${encoding}content-length: 50\r\n\r\n`,
      );
      socket.write(half);
      await new Promise((resolve) => setImmediate(resolve));
      socket.destroy();
      await waitFor(async () => (await left()) > before);
      expect(faults).toEqual([]);
      expect(intake.requests).toEqual([]);
    },
  );
});
