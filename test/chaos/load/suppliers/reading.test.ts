import { describe, expect, it } from '@jest/globals';
import { readAnswer, readRetryAfter } from './reading.js';

const read = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  readAnswer({ status, headers, text: JSON.stringify(body) });
const data = { id: 'lead', buyer_id: null, campaign_id: 'c' };

describe('reading an answer of ingest', () => {
  it.each([
    ['delivered', 201, { data: { ...data, status: 'ACCEPTED', delivery: 'delivered' } }],
    ['pending', 201, { data: { ...data, status: 'ACCEPTED', delivery: 'pending' } }],
    ['unmatched', 200, { data: { ...data, status: 'UNMATCHED' } }],
    ['duplicate', 200, { data: { ...data, status: 'DUPLICATE', duplicate_of: 'first' } }],
    ['rejected', 422, { error: 'filtered', lead_id: 'lead' }],
    ['key_reused', 422, { error: 'idempotency_key_reused' }],
    ['capped', 403, { error: 'supplier_capped' }],
  ] as const)('reads %s as a result that took effect', (answer, status, body) => {
    expect(read(status, body)).toMatchObject({ answer, status, outcome: 'ok' });
  });

  it.each([
    ['limited', 429],
    ['not_taken', 503],
  ] as const)('reads %s as a definitive refusal', (answer, status) => {
    expect(read(status, { error: 'any' })).toMatchObject({ answer, outcome: 'fail' });
  });

  it.each([
    [500, { error: 'internal' }],
    [403, { error: 'campaign_paused' }],
    [201, { data: { ...data, status: 'ACCEPTED' } }],
    [200, {}],
  ])('does not expect %s %j, and treats its result as unknown', (status, body) => {
    const text = JSON.stringify(body);
    expect(read(status, body)).toMatchObject({
      answer: 'unexpected',
      outcome: 'info',
      error: text,
    });
  });

  it('sees the lead, its original and a replayed answer', () => {
    const body = { data: { ...data, status: 'DUPLICATE', duplicate_of: 'first' } };
    expect(read(200, body, { 'idempotent-replayed': 'true' })).toMatchObject({
      lead_id: 'lead',
      duplicate_of: 'first',
      buyer_id: null,
      replayed: true,
    });
    expect(read(422, { error: 'filtered', lead_id: 'kept' })).toMatchObject({ lead_id: 'kept' });
  });

  it('reads Retry-After in seconds', () => {
    const after = (value: string) =>
      readRetryAfter({ status: 503, headers: { 'retry-after': value }, text: '' });
    expect([after('2'), after('soon')]).toEqual([2_000, null]);
  });
});
