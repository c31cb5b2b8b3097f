import { describe, expect, it } from '@jest/globals';
import { readReply } from '../../../src/deliveries/rules/delivery.js';
import type { DeliveryVerdict } from '../../../src/deliveries/rules/delivery.js';
import type { TransportReply } from '../../../src/platform/outbound/reply.js';
import type { ResponseRules } from '../../../src/account/buyers/responseSchema.js';

const now = new Date('2026-11-21T12:00:00Z');

describe('readReply', () => {
  const answered = (status: number, headers: Record<string, string> = {}): TransportReply => ({
    kind: 'answered',
    status,
    headers,
    body: '',
  });
  const table: [DeliveryVerdict['result'], number[]][] = [
    ['accepted', [200, 201, 202, 204, 299]],
    ['rejected', [400, 401, 403, 404, 409, 410, 422, 499]],
    ['not_taken', [408, 425, 429, 500, 502, 503, 504, 520, 599]],
    ['not_taken', [300, 301, 302, 304, 307, 308]],
    ['unknown', [0, 101, 199, 600, 999]],
  ];
  it.each(
    table.flatMap(([result, statuses]) => statuses.map((status) => [status, result] as const)),
  )('reads %d as %s', (status, result) => {
    const verdict = readReply(answered(status), now);
    expect(verdict).toMatchObject({ result, http_status: status });
    expect(verdict.reason).toMatch(`The buyer answered ${status}`);
  });

  it('says that redirects are not followed', () => {
    expect(readReply(answered(302, { location: 'https://elsewhere.example' }), now).reason).toBe(
      'The buyer answered 302; redirects are not followed',
    );
  });

  it('is certain only when nothing was sent', () => {
    const reason = 'connection refused';
    expect(readReply({ kind: 'not_sent', reason }, now)).toEqual({ result: 'not_taken', reason });
    expect(readReply({ kind: 'no_answer', reason }, now)).toEqual({ result: 'unknown', reason });
  });

  it('says of a request that this process was too late to send that it is no evidence', () => {
    const late = readReply({ kind: 'not_sent', reason: 'too late', late: true }, now);
    expect(late).toEqual({ result: 'not_taken', reason: 'too late', ours: true });
    const unreachable = readReply({ kind: 'not_sent', reason: 'refused' }, now);
    expect(unreachable).toEqual({ result: 'not_taken', reason: 'refused' });
  });

  it("returns the buyer's Retry-After", () => {
    expect(readReply(answered(429, { 'retry-after': '7' }), now).retry_after_ms).toBe(7_000);
    expect(readReply(answered(503, { 'Retry-After': '7' }), now).retry_after_ms).toBe(7_000);
    expect(readReply(answered(503), now)).not.toHaveProperty('retry_after_ms');
    expect(readReply(answered(422, { 'retry-after': '7' }), now)).not.toHaveProperty(
      'retry_after_ms',
    );
  });
});

describe('readReply of a body that could not be unpacked', () => {
  const undecoded = 'its body is not valid or not complete gzip';
  const path = { path: 'status', equals: 'ok' };
  it.each<[DeliveryVerdict['result'], ResponseRules | null, number]>([
    ['accepted', null, 200],
    ['rejected', null, 422],
    ['unknown', { accept_when: path }, 200],
    ['unknown', { accept_when: { text_contains: '' } }, 200],
    ['unknown', { accept_when: { text_matches: '.*' } }, 202],
    ['unknown', { accept_when: { path: 'error', exists: false } }, 200],
    ['unknown', { accept_when: { status: 200, text_contains: 'yes' } }, 200],
    ['unknown', { accept_when: { all: [{ status: 200 }, path] } }, 200],
    ['unknown', { accept_when: [path, { status: 202 }] }, 200],
    ['unknown', { accept_when: path, reject_when: { status: 200 } }, 200],
    ['unknown', { reject_when: { text_contains: 'declined' } }, 200],
    ['unknown', { reject_when: { path: 'id', exists: false } }, 201],
    ['unknown', { accept_when: { status: 202 }, reject_when: path }, 200],
    ['accepted', { accept_when: { status: 200 } }, 200],
    ['accepted', { accept_when: [path, { status: 200 }] }, 200],
    ['accepted', { accept_when: { any: [{ status: '2xx' }, path] } }, 299],
    ['rejected', { accept_when: { status: 202 } }, 200],
    ['rejected', { reject_when: { status: 200 } }, 200],
    [
      'rejected',
      { accept_when: { status: 201, path: 'id' }, reject_when: [{ status: 200 }, path] },
      200,
    ],
    ['accepted', { reject_when: { status: 409, path: 'id' } }, 200],
    ['accepted', { reference_path: 'id', price_path: 'price' }, 200],
    ['rejected', { accept_when: path }, 422],
    ['not_taken', { accept_when: path }, 503],
    ['not_taken', { reject_when: { text_contains: 'no' } }, 429],
    ['not_taken', { accept_when: path }, 302],
  ])('is %s by %j at %d', (result, own, status) => {
    const reply: TransportReply = { kind: 'answered', status, headers: {}, body: '', undecoded };
    const verdict = readReply(reply, now, own);
    expect(verdict).toMatchObject({ result, http_status: status });
    expect(verdict.price).toBeUndefined();
    if (result === 'unknown')
      expect(verdict.reason).toBe(`The buyer answered ${status}; ${undecoded}`);
  });
});

describe('readReply by the rules of a buyer', () => {
  const read = (
    rules: ResponseRules,
    status: number,
    body: unknown,
    headers: Record<string, string> = {},
  ): DeliveryVerdict => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return readReply({ kind: 'answered', status, headers, body: text }, now, rules);
  };
  const rules: ResponseRules = {
    accept_when: { path: 'result.status', equals: 'ok' },
    reject_when: { path: 'result.status', in: ['no', 'duplicate'] },
    reason_path: '$.result.message',
    reference_path: 'result.id',
    price_path: 'result.price',
  };
  const says = (status: string, more: object = {}) => ({ result: { status, ...more } });

  it('accepts what accept_when says, with reference and price', () => {
    expect(read(rules, 200, says('OK', { id: 'b-77', price: '12.5' }))).toEqual({
      result: 'accepted',
      http_status: 200,
      reason: 'The buyer answered 200',
      reference: 'b-77',
      price: 12_500_000,
    });
  });

  it('rejects what reject_when says, in the words of the buyer, and records no price', () => {
    const body = says('duplicate', { message: ' Known\u0000\nsince May ', price: 3 });
    expect(read(rules, 200, body)).toEqual({
      result: 'rejected',
      http_status: 200,
      reason: 'Known since May',
    });
  });

  it('checks accept_when first', () => {
    const both: ResponseRules = { accept_when: { status: 200 }, reject_when: { status: '2xx' } };
    expect(read(both, 200, '').result).toBe('accepted');
    expect(read(both, 201, '').result).toBe('rejected');
  });

  it('rejects a 2xx that does not match accept_when', () => {
    expect(read(rules, 200, says('queued'))).toMatchObject({
      result: 'rejected',
      reason: 'not_accepted_by_rule',
    });
    expect(read(rules, 200, says('queued', { message: 'Later' })).reason).toBe('Later');
  });

  it.each(['<html>maintenance</html>', '', '{"result":', '[1,', '\u0001'])(
    'rejects a 2xx whose JSON cannot be read: %j',
    (body) => {
      expect(read(rules, 200, body)).toEqual({
        result: 'rejected',
        http_status: 200,
        reason: 'unreadable_answer',
      });
    },
  );

  it('reads a 2xx by its status when only reject_when is given, and records what it could not read', () => {
    const { reject_when } = rules;
    expect(read({ ...(reject_when ? { reject_when } : {}) }, 200, says('queued'))).toEqual({
      result: 'accepted',
      http_status: 200,
      reason: 'The buyer answered 200',
    });
    expect(read({ ...(reject_when ? { reject_when } : {}) }, 200, 'garbage')).toMatchObject({
      result: 'accepted',
      notes: ['unreadable_answer'],
    });
  });

  it.each([
    [429, 'not_taken'],
    [503, 'not_taken'],
    [302, 'not_taken'],
    [408, 'not_taken'],
    [422, 'rejected'],
  ] as const)('does not change a %d that no rule matches', (status, result) => {
    expect(read(rules, status, 'Slow down')).toMatchObject({ result, http_status: status });
  });

  it.each([
    ['7', 7_000],
    ['Sat, 21 Nov 2026 12:00:30 GMT', 30_000],
  ])('obeys Retry-After: %s under rules too', (header, ms) => {
    for (const status of [429, 503]) {
      expect(read(rules, status, '', { 'retry-after': header }).retry_after_ms).toBe(ms);
    }
  });

  it('lets a rule decide about a status that otherwise means not accepted', () => {
    const own: ResponseRules = {
      accept_when: { status: 503 },
      reject_when: { status: [429, 302] },
    };
    expect(read(own, 503, '').result).toBe('accepted');
    expect(read(own, 429, '', { 'retry-after': '7' })).toEqual({
      result: 'rejected',
      http_status: 429,
      reason: 'The buyer answered 429',
    });
    expect(read(own, 302, '').result).toBe('rejected');
  });

  it('does not change the result of an unanswered request', () => {
    const reply: TransportReply = { kind: 'no_answer', reason: 'reset' };
    expect(readReply(reply, now, rules)).toEqual({ result: 'unknown', reason: 'reset' });
  });

  it.each([
    ['price', -1],
    ['price', '1.23456'],
    ['price', 0.00001],
    ['price', '1e3'],
    ['price', 'free'],
    ['price', true],
    ['price', { amount: 3 }],
    ['id', 'x'.repeat(201)],
    ['id', 'a\nb'],
    ['id', ''],
    ['id', ['b-77']],
  ])('ignores and records an invalid %s: %j', (name, value) => {
    const verdict = read(rules, 200, says('ok', { [name]: value }));
    expect(verdict).toEqual({
      result: 'accepted',
      http_status: 200,
      reason: 'The buyer answered 200',
      notes: [name === 'id' ? 'reference_ignored' : 'price_ignored'],
    });
  });

  it.each([
    [0, 0],
    ['0', 0],
    [12, 12_000_000],
    ['12.3456', 12_345_600],
    [0.1, 100_000],
  ])('reads the price %j', (given, micros) => {
    expect(read(rules, 200, says('ok', { price: given })).price).toBe(micros);
  });

  it("limits the length of a buyer's words", () => {
    const { reason } = read(rules, 422, says('no', { message: 'x'.repeat(100_000) }));
    expect(reason).toHaveLength(200);
  });

  it('reads a numeric reference as text', () => {
    expect(read(rules, 200, says('ok', { id: 4711 })).reference).toBe('4711');
  });

  it('reads JSON after a byte order mark, and JSON nested a hundred thousand deep', () => {
    expect(read(rules, 200, `\uFEFF${JSON.stringify(says('ok'))}`).result).toBe('accepted');
    const deep = `{"result":{"status":"ok","id":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`;
    expect(read(rules, 200, deep)).toMatchObject({
      result: 'accepted',
      notes: ['reference_ignored'],
    });
  });
});
