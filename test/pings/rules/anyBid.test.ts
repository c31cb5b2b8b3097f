import fc from 'fast-check';
import { describe, expect, it } from '@jest/globals';
import { readBid } from '../../../src/pings/rules/readBid.js';
import type { BidRules } from '../../../src/account/rules/pingSettings.js';

const UNIT = 1_000_000;
const priceOf = (value: unknown) => {
  const body = JSON.stringify({ bid_price: value });
  const bid = readBid({ kind: 'answered', status: 200, headers: {}, body }, false);
  return bid.kind === 'bid' ? bid.price : bid.reason;
};

describe('readBid of anything', () => {
  const REASONS =
    /^(?:http_-?[0-9]+|malformed|no_bid_price|negative_bid|absurd_bid|declined|late|unreachable)$/;
  const nearly = fc.record(
    {
      bid_price: fc.oneof(
        fc.anything(),
        fc.double(),
        fc.integer(),
        fc.string(),
        fc.double().map(String),
      ),
      accept: fc.anything(),
      accepted: fc.anything(),
      status: fc.oneof(fc.anything(), fc.string()),
      reference: fc.anything(),
      bid_id: fc.string(),
    },
    { requiredKeys: [] },
  );
  const json = fc.oneof(
    fc.json(),
    nearly.map((value) => stringified(value)),
  );
  const body = fc.oneof(
    { weight: 3, arbitrary: json },
    { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
    {
      weight: 1,
      arbitrary: fc.uint8Array().map((bytes) => Buffer.from(bytes).toString('utf8')),
    },
    { weight: 1, arbitrary: json.map((text) => text.slice(0, text.length / 2)) },
  );
  const status = fc.oneof(
    { weight: 3, arbitrary: fc.constant(200) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 999 }) },
  );
  const path = fc.constantFrom('bid_price', 'status', 'a.b', '[0]', '', '..', 'bid_price[');
  const rules: fc.Arbitrary<BidRules> = fc.record(
    {
      accept_when: fc.record({ path }),
      reject_when: fc.record({ text_matches: fc.constantFrom('x', '(', '^$') }),
      price_path: path,
      reference_path: path,
      reason_path: path,
    },
    { requiredKeys: [] },
  );

  it('is a price within bounds or a reason, and never an error', () => {
    fc.assert(
      fc.property(status, body, rules, fc.boolean(), (code, text, own, over) => {
        const bid = readBid({ kind: 'answered', status: code, headers: {}, body: text }, over, own);
        if (bid.kind === 'none') {
          expect(bid.reason).toMatch(REASONS);
          expect(JSON.stringify(bid.detail).length).toBeLessThan(400);
          return;
        }
        expect(Number.isSafeInteger(bid.price)).toBe(true);
        expect(bid.price % 100).toBe(0);
        expect(Object.is(bid.price, -0)).toBe(false);
        expect(bid.price).toBeGreaterThanOrEqual(0);
        expect(bid.price).toBeLessThanOrEqual(1_000_000 * UNIT);
        expect(((said: string) => said.length <= 200)(bid.reference ?? '')).toBe(true);
      }),
    );
  });

  it('rounds down to four decimals, by the digits', () => {
    const digits = fc.tuple(
      fc.integer({ min: 0, max: 999_999 }),
      fc.stringMatching(/^[0-9]{0,12}$/),
    );
    fc.assert(
      fc.property(digits, ([whole, decimals]) => {
        const exact = BigInt(`${whole}${decimals.padEnd(12, '0')}`) / 100_000_000n;
        expect(priceOf(decimals === '' ? `${whole}` : `${whole}.${decimals}`)).toBe(
          Number(exact) * 100,
        );
      }),
    );
  });

  it('reads numbers as their shortest text', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10_000_000_000 }), (steps) => {
        expect(priceOf(steps / 10_000)).toBe(steps * 100);
      }),
    );
  });

  const stringified = (value: unknown): string => {
    try {
      return JSON.stringify(value);
    } catch {
      return '{}';
    }
  };
});
