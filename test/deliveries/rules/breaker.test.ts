import { describe, expect, it } from '@jest/globals';
import { breakerState, pauseAfter } from '../../../src/deliveries/rules/breaker.js';

const NOW = new Date('2026-11-21T12:00:00Z');
const after = (ms: number): Date => new Date(Number(NOW) + ms);
const WELL = { pauses: 0, retry_at: null };

describe('pauseAfter', () => {
  it('pauses a second after the first failure', () => {
    expect(pauseAfter({ before: WELL, askedMs: 0, now: NOW, random: 0.5 })).toEqual({
      pauses: 1,
      retry_at: after(1_000),
      open_until: null,
    });
  });

  it('lengthens each cooldown', () => {
    const before = { pauses: 2, retry_at: after(-1) };
    expect(pauseAfter({ before, askedMs: 0, now: NOW, random: 0.5 })).toMatchObject({
      pauses: 3,
      retry_at: after(4_000),
    });
  });

  it('is not prolonged by failures during a cooldown', () => {
    const before = { pauses: 2, retry_at: after(500) };
    expect(pauseAfter({ before, askedMs: 0, now: NOW, random: 0.5 })).toMatchObject({
      pauses: 2,
      retry_at: null,
    });
  });

  it("obeys the buyer's Retry-After, in both lanes", () => {
    const asked = pauseAfter({ before: WELL, askedMs: 30_000, now: NOW, random: 0.5 });
    expect(asked).toMatchObject({ open_until: after(30_000), retry_at: after(30_000) });
  });
});

describe('breakerState', () => {
  it.each([
    ['closed', undefined],
    ['closed', { open_until: null }],
    ['closed', { paused_at: null, open_until: after(1) }],
    ['open', { paused_at: NOW, open_until: after(1) }],
    ['half-open', { paused_at: NOW, open_until: NOW }],
    ['half-open', { paused_at: NOW, open_until: null }],
  ])('is %s for %j', (state, health) => {
    expect(breakerState(health, NOW)).toBe(state);
  });
});
