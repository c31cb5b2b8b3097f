import { describe, expect, it } from '@jest/globals';
import { measured, offsetOf, type Sample } from '../../../src/platform/mongo/serverClock.js';

const SERVER_AHEAD = 1_000_000;

/** The answer of a server that is ahead by `ahead`, with these times on the way there and back. */
const said = (askedAt: number, there: number, back: number, ahead = SERVER_AHEAD): Sample => ({
  askedAt,
  serverAt: Math.floor(askedAt + there + ahead),
  heardAt: askedAt + there + back,
});
const errorOf = (...samples: Sample[]): number => {
  const known = samples.reduce(measured, measured(undefined, samples[0] ?? said(0, 0, 0)));
  return Math.abs(offsetOf(known) - SERVER_AHEAD);
};

describe('the offset of a server clock', () => {
  it('is off by at most half the round trip', () => {
    expect(errorOf(said(10, 8, 0))).toBeLessThanOrEqual(4.5);
    expect(errorOf(said(10, 0, 8))).toBeLessThanOrEqual(4.5);
  });

  it('is as exact as the fastest answer, even when later ones are slow', () => {
    const slow = said(6_000, 900, 0);
    expect(errorOf(said(10, 1, 1), slow)).toBeLessThan(3);
    expect(errorOf(slow, said(12_000, 1, 1))).toBeLessThan(3);
  });

  it('follows a clock that drifts', () => {
    const samples = Array.from({ length: 1_000 }, (_, n) =>
      said(n * 5_000, 1, 1, SERVER_AHEAD - (1_000 - n) * 5_000 * 0.000_1),
    );
    expect(errorOf(...samples)).toBeLessThan(3);
  });

  it('is measured again when the clock of the server is set', () => {
    expect(errorOf(said(10, 1, 1, SERVER_AHEAD - 60_000), said(5_010, 2, 2))).toBeLessThan(4);
  });
});
