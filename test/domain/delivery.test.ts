import { describe, expect, it } from '@jest/globals';
import { buildDelivery, readReply } from '../../src/domain/delivery.js';
import type { DeliveryVerdict, TransportReply } from '../../src/domain/delivery.js';
import type { Lead } from '../../src/domain/lead.js';
import { aBuyer, someFields } from './builders.js';

const now = new Date('2026-11-21T12:00:00Z');
const aLead = (overrides: Partial<Lead> = {}) => ({
  _id: 'l1',
  campaign_id: 'c1',
  fields: someFields(),
  extra: { utm: 'x' },
  is_test: false,
  created_at: now,
  ...overrides,
});
const withHeaders = (headers: Record<string, string>) => {
  const buyer = aBuyer();
  return { ...buyer, delivery: { ...buyer.delivery, headers } };
};

describe('buildDelivery', () => {
  it('sends the default body, fields flat, in a fixed order', () => {
    const request = buildDelivery({ lead: aLead(), terms: aBuyer() });
    expect(request.url).toBe('https://buyer.example/leads');
    expect(request.body).toBe(
      '{"lead_id":"l1","campaign_id":"c1","buyer_id":"b1","is_test":false,"price":25,' +
        '"first_name":"Ada","last_name":"Lovelace","email":"ada@example.com",' +
        '"phone":"+15551234567","state":"TX","extra":{"utm":"x"},' +
        '"created_at":"2026-11-21T12:00:00.000Z"}',
    );
  });

  it('lets no field take the place of a reserved name', () => {
    const names = ['lead_id', 'campaign_id', 'buyer_id', 'is_test', 'price', 'extra', 'created_at'];
    const forged = Object.fromEntries(names.map((name) => [name, 'forged']));
    const { body } = buildDelivery({ lead: aLead({ fields: forged }), terms: aBuyer() });
    expect(body).not.toContain('forged');
    expect(JSON.parse(body)).toMatchObject({ lead_id: 'l1', price: 25, extra: { utm: 'x' } });
  });

  it("adds the buyer's own headers, which cannot replace ours or frame the request", () => {
    const terms = withHeaders({
      Authorization: 'Bearer t',
      'X-Lead-Id': 'forged',
      'IDEMPOTENCY-KEY': 'forged',
      'Content-Type': 'text/plain',
      'X-LeadDistro-Signature': 'forged',
      'Content-Length': '1',
      'Transfer-Encoding': 'chunked',
      Host: 'elsewhere.example',
    });
    expect(buildDelivery({ lead: aLead(), terms }).headers).toEqual({
      authorization: 'Bearer t',
      'content-type': 'application/json',
      'x-lead-id': 'l1',
      'idempotency-key': 'l1:b1',
    });
  });

  it('gives the same request each time, and another key for another buyer', () => {
    const first = buildDelivery({ lead: aLead(), terms: aBuyer() });
    expect(buildDelivery({ lead: aLead(), terms: aBuyer() })).toEqual(first);
    const other = buildDelivery({ lead: aLead(), terms: aBuyer({ buyer_id: 'b2' }) });
    expect(other.headers['idempotency-key']).toBe('l1:b2');
  });
});

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
  )('takes %d for %s', (status, result) => {
    const verdict = readReply(answered(status), now);
    expect(verdict).toMatchObject({ result, http_status: status });
    expect(verdict.reason).toMatch(`The buyer answered ${status}`);
  });

  it('says that redirects are not followed', () => {
    expect(readReply(answered(302, { location: 'https://elsewhere.example' }), now).reason).toBe(
      'The buyer answered 302; redirects are not followed',
    );
  });

  it('is sure only when nothing was sent', () => {
    const reason = 'connection refused';
    expect(readReply({ kind: 'not_sent', reason }, now)).toEqual({ result: 'not_taken', reason });
    expect(readReply({ kind: 'no_answer', reason }, now)).toEqual({ result: 'unknown', reason });
  });

  it('hands on how long the buyer wants to be left alone', () => {
    expect(readReply(answered(429, { 'retry-after': '7' }), now).retry_after_ms).toBe(7_000);
    expect(readReply(answered(503, { 'Retry-After': '7' }), now).retry_after_ms).toBe(7_000);
    expect(readReply(answered(503), now)).not.toHaveProperty('retry_after_ms');
    expect(readReply(answered(422, { 'retry-after': '7' }), now)).not.toHaveProperty(
      'retry_after_ms',
    );
  });
});
