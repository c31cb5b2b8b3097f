import { expect, it } from '@jest/globals';
import { claimedAt, expiryOf, STORED_WITHIN_MS } from '../../../src/leads/rules/keyTimes.js';

const NOW = new Date('2026-11-21T12:00:00Z');

it('keeps an Idempotency-Key for 24 hours, and knows when it was claimed', () => {
  expect(expiryOf(NOW)).toEqual(new Date('2026-11-22T12:00:00Z'));
  expect(expiryOf(Number(NOW))).toEqual(expiryOf(NOW));
  expect(claimedAt({ expires_at: expiryOf(NOW) })).toBe(Number(NOW));
});

it('gives a request ten seconds to store its lead', () => {
  expect(STORED_WITHIN_MS).toBe(10_000);
});
