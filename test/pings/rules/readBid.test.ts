import { describe, expect, it } from '@jest/globals';
import { readBid } from '../../../src/pings/rules/readBid.js';
import type { BidRules } from '../../../src/account/rules/pingSettings.js';

const UNIT = 1_000_000;
const read = (body: unknown, status = 200, rules?: BidRules) =>
  readBid(
    {
      kind: 'answered',
      status,
      headers: {},
      body: typeof body === 'string' ? body : JSON.stringify(body),
    },
    false,
    rules,
  );
const priceOf = (value: unknown) => {
  const bid = read({ bid_price: value });
  return bid.kind === 'bid' ? bid.price : bid.reason;
};

describe('readBid of an answer that could not be unpacked', () => {
  const undecoded = 'its body is not valid or not complete gzip';
  it.each<[string, BidRules | undefined, number]>([
    ['malformed', undefined, 200],
    ['malformed', { accept_when: { path: 'ok', equals: true } }, 200],
    ['malformed', { accept_when: { status: 200 } }, 200],
    ['malformed', { reject_when: { text_contains: 'no' } }, 200],
    ['malformed', { reject_when: { path: 'bid', exists: false } }, 200],
    ['declined', { reject_when: { status: 200 } }, 200],
    ['http_503', { accept_when: { path: 'ok' } }, 503],
    ['http_422', undefined, 422],
  ])('is %s by %j at %d', (reason, rules, status) => {
    const reply = { kind: 'answered', status, headers: {}, body: '', undecoded } as const;
    const bid = readBid(reply, false, rules);
    expect(bid).toMatchObject({ kind: 'none', reason });
    if (reason === 'malformed') expect(bid).toMatchObject({ detail: { problem: undecoded } });
  });
});

describe('readBid', () => {
  it.each<[unknown, number | string]>([
    [12.5, 12_500_000],
    ['12.5', 12_500_000],
    [' 0012.50 ', 12_500_000],
    ['+1', UNIT],
    ['.5', 500_000],
    ['3.', 3 * UNIT],
    [0, 0],
    [-0, 0],
    ['-0.00', 0],
    [0.1, 100_000],
    [1.005, 1_005_000],
    [4.35, 4_350_000],
    [1.23459, 1_234_500],
    [0.00009, 0],
    [1e-7, 0],
    [0.0001, 100],
    ['999999.99999', 999_999_999_900],
    [1_000_000, 1_000_000 * UNIT],
    [1_000_000.01, 'absurd_bid'],
    ['1000001', 'absurd_bid'],
    ['99999999999999999999999', 'absurd_bid'],
    [1e300, 'absurd_bid'],
    [-0.01, 'negative_bid'],
    [-1e300, 'negative_bid'],
    ['-3', 'negative_bid'],
    ['12,50', 'malformed'],
    ['$12', 'malformed'],
    ['1e5', 'malformed'],
    ['Infinity', 'malformed'],
    ['twelve', 'malformed'],
    ['9'.repeat(65), 'malformed'],
    [true, 'malformed'],
    [[12], 'malformed'],
    [{ amount: 12 }, 'malformed'],
    [null, 'no_bid_price'],
    ['', 'no_bid_price'],
    [undefined, 'no_bid_price'],
  ])('reads the price %j as %j', (value, price) => {
    expect(priceOf(value)).toBe(price);
  });

  it('handles JSON numbers that no number type can hold', () => {
    expect(read('{"bid_price":1e999}')).toMatchObject({ reason: 'absurd_bid' });
    expect(read('{"bid_price":-1e999}')).toMatchObject({ reason: 'negative_bid' });
  });

  it('is malformed when there is no JSON', () => {
    for (const body of ['', 'ok', '12.5 USD', '{"bid_price":12', '<xml/>', 'NaN']) {
      expect(read(body)).toMatchObject({ reason: 'malformed' });
    }
    expect(read('[]')).toMatchObject({ reason: 'no_bid_price' });
    expect(read('12.5')).toMatchObject({ reason: 'no_bid_price' });
    expect(read('\uFEFF{"bid_price":1}')).toMatchObject({ price: UNIT });
  });

  it('checks the status first', () => {
    for (const status of [301, 302, 400, 404, 429, 500, 503]) {
      expect(read({ bid_price: 1 }, status)).toEqual({
        kind: 'none',
        reason: `http_${status}`,
        detail: { http_status: status },
      });
    }
    expect(read({ bid_price: 1 }, 201)).toMatchObject({ kind: 'bid' });
    expect(read('', 204)).toMatchObject({ reason: 'declined' });
  });

  it.each([
    { accept: false },
    { accepted: 'No' },
    { accept: 0 },
    { accepted: '0' },
    { status: 'rejected' },
    { status: 'REJECT' },
    { status: 'no_bid' },
    { status: ' declined ' },
    { accept: true, status: 'declined' },
  ])('reads %j as a refusal, whatever the price', (words) => {
    expect(read({ ...words, bid_price: 5 })).toMatchObject({ reason: 'declined' });
  });

  it.each([
    {},
    { accept: true },
    { accepted: 'yes' },
    { status: 'accepted' },
    { status: 'ok' },
    { status: 'success' },
    { status: 'bid' },
    { status: 0 },
    { status: '0' },
    { status: 200 },
    { accept: null, status: null },
    { accept: {}, status: [] },
  ])('does not read %j as a refusal', (words) => {
    expect(read({ ...words, bid_price: 5 })).toMatchObject({ kind: 'bid', price: 5 * UNIT });
  });

  it("keeps the buyer's reference for the ping", () => {
    const referenceIn = (body: object, rules?: BidRules) => {
      const bid = read({ bid_price: 1, ...body }, 200, rules);
      return bid.kind === 'bid' ? bid.reference : bid;
    };
    expect(referenceIn({})).toBeUndefined();
    expect(referenceIn({ ping_id: 'p', bid_id: 'b', reference: 'r' })).toBe('r');
    expect(referenceIn({ ping_id: 'p', bid_id: 17 })).toBe('17');
    expect(referenceIn({ ping_id: 'p' })).toBe('p');
    expect(referenceIn({ reference: 'x'.repeat(201), bid_id: 'b' })).toBe('b');
    expect(referenceIn({ reference: 'r', own: { id: 'o' } }, { reference_path: 'own.id' })).toBe(
      'o',
    );
    expect(referenceIn({ reference: 'r' }, { reference_path: 'own.id' })).toBeUndefined();
  });

  it('applies the rules of the buyer', () => {
    const rules: BidRules = {
      accept_when: { path: 'result', equals: 'WIN' },
      reject_when: { path: 'result', equals: 'PASS' },
      price_path: 'offers[0].amount',
      reason_path: 'why',
    };
    const offers = [{ amount: '7.5' }];
    expect(read({ result: 'WIN', offers, accept: false }, 200, rules)).toEqual({
      kind: 'bid',
      price: 7_500_000,
    });
    // As with deliveries: an explicit acceptance counts at any status.
    expect(read({ result: 'WIN', offers }, 422, rules)).toMatchObject({ kind: 'bid' });
    expect(read({ result: 'PASS', offers, why: 'area\nfull' }, 422, rules)).toMatchObject({
      reason: 'declined',
      detail: { by: 'reject_when', said: 'area full' },
    });
    expect(read({ result: '?', offers }, 200, rules)).toMatchObject({
      reason: 'declined',
      detail: { by: 'accept_when' },
    });
    expect(read({ result: '?', offers }, 500, rules)).toMatchObject({ reason: 'http_500' });
    expect(read({ result: 'WIN', offers: [] }, 200, rules)).toMatchObject({
      reason: 'no_bid_price',
      detail: { path: 'offers[0].amount' },
    });
    expect(read({ price: 3 }, 200, { price_path: 'price' })).toMatchObject({ price: 3 * UNIT });
  });

  it('is late without an answer at its timeout, and unreachable before', () => {
    for (const kind of ['no_answer', 'not_sent'] as const) {
      const reply = { kind, reason: 'why' };
      const detail = { error: 'why' };
      expect(readBid(reply, true)).toEqual({ kind: 'none', reason: 'late', detail });
      expect(readBid(reply, false)).toEqual({ kind: 'none', reason: 'unreachable', detail });
    }
  });

  it('does not repeat a value that is not a number', () => {
    const bid = read({ bid_price: 'Ada Lovelace, 5551234567' });
    expect(JSON.stringify(bid)).not.toMatch(/Ada|555/);
  });
});
