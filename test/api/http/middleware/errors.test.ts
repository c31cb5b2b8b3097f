import { describe, expect, it } from '@jest/globals';
import {
  AppError,
  ERROR_STATUS,
  outcomeUnknown,
  unavailable,
  type ErrorCode,
} from '../../../../src/lib/errors.js';
import { createLog } from '../../../../src/lib/log.js';
import { ErrorBody } from '../../../../src/api/schemas/error.js';
import { fakeIntake, send, startServer, type HttpReply } from '../../../support/http.js';

interface Outcome {
  reply: HttpReply;
  /** The objects logged at warn, one per line. */
  lines: Record<string, unknown>[];
}

async function replyTo(thrown: unknown): Promise<Outcome> {
  const lines: Record<string, unknown>[] = [];
  const log = createLog('silent', 'test');
  log.warn = (line: unknown) => void lines.push(line as Record<string, unknown>);
  const intake = fakeIntake(() => {
    throw thrown;
  });
  const server = await startServer({ intake, log });
  const reply = await send(`${server.url}/api/v1/ingest?phone=5551234567`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  await server.close(1_000);
  return { reply, lines };
}

describe('an error', () => {
  it.each(Object.entries(ERROR_STATUS) as [ErrorCode, number][])(
    'of code %s is answered with %s, its code and its message',
    async (code, status) => {
      const { reply } = await replyTo(new AppError(code, `About ${code}.`));
      expect(reply.status).toBe(status);
      expect(reply.headers['content-type']).toBe('application/json; charset=utf-8');
      expect(ErrorBody.strict().parse(reply.json)).toMatchObject({
        error: code,
        message: `About ${code}.`,
        request_id: reply.headers['x-request-id'],
      });
    },
  );

  it('lists every field that is wrong', async () => {
    const field_errors = [
      { field: 'phone', code: 'required' as const, message: 'phone is required' },
      { field: 'email', code: 'invalid_format' as const, message: 'email is not an address' },
    ];
    const { reply, lines } = await replyTo(
      new AppError('validation_failed', 'Two fields are wrong.', { field_errors }),
    );
    expect(reply.status).toBe(400);
    expect(reply.json?.field_errors).toEqual(field_errors);
    expect(lines).toEqual([]);
  });

  it('of the rate limit has Retry-After and its own headers', async () => {
    const { reply } = await replyTo(
      new AppError('rate_limited', 'Too many leads.', {
        retry_after: 3,
        headers: { ratelimit: '"burst";r=0;t=3' },
      }),
    );
    expect(reply.status).toBe(429);
    expect(reply.headers['retry-after']).toBe('3');
    expect(reply.json?.retry_after).toBe(3);
    expect(reply.headers.ratelimit).toBe('"burst";r=0;t=3');
  });

  it('of an outage has Retry-After, and its cause is only in the log', async () => {
    const cause = new Error('server selection timed out');
    const { reply, lines } = await replyTo(unavailable('The store is away.', cause));
    expect(reply.status).toBe(503);
    expect(reply.headers['retry-after']).toBe('2');
    expect(reply.json?.retry_after).toBe(2);
    expect(reply.text).not.toContain('selection');
    expect(lines).toEqual([expect.objectContaining({ status: 503, err: cause })]);
  });

  it('of an unknown result names a wait, after which a resend is recognized', async () => {
    const { reply } = await replyTo(outcomeUnknown(new Error('connection closed')));
    expect([reply.status, reply.json?.error]).toEqual([504, 'outcome_unknown']);
    expect(reply.headers['retry-after']).toBe('10');
    expect(reply.json?.retry_after).toBe(10);
    expect(reply.text).not.toContain('connection closed');
  });

  it.each([429, 503])('of status %s names a wait even when none was given', async (status) => {
    const code = status === 429 ? 'rate_limited' : 'unavailable';
    const { reply } = await replyTo(new AppError(code, 'Later.'));
    expect(reply.headers['retry-after']).toBe('1');
    expect(reply.json?.retry_after).toBe(1);
  });

  it.each([new TypeError('secret detail'), 'secret detail', undefined, { status: 400 }])(
    'that is unexpected is a plain 500, logged with its cause and without the query: %p',
    async (thrown) => {
      const { reply, lines } = await replyTo(thrown);
      expect(reply.status).toBe(500);
      expect(reply.json).toEqual({
        error: 'internal',
        message: 'Something failed on our side; it is logged under this request_id.',
        request_id: reply.headers['x-request-id'],
      });
      expect(lines).toEqual([
        expect.objectContaining({
          request_id: reply.headers['x-request-id'],
          path: '/api/v1/ingest',
          status: 500,
          err: thrown,
        }),
      ]);
    },
  );
});
