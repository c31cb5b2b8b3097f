import { describe, it, expect } from '@jest/globals';
import {
  allowedVerdict,
  refusedVerdict,
  verdictHeaders,
} from '../../../src/platform/rateLimits/verdict.js';
import { createRateBuckets } from '../../../src/platform/rateLimits/store/rates.js';

const LIMIT = { per_second: 100, burst_per_second: 200, burst_seconds: 10 };

describe('createRateBuckets', () => {
  it('makes room for the burst: 200/s with room for 200, 100/s with room for 1,000', () => {
    expect(createRateBuckets(LIMIT)).toEqual({
      burst: { rate: 200, room: 200 },
      sustained: { rate: 100, room: 1_000 },
    });
  });

  it('gives a limit without burst the capacity of one second', () => {
    expect(createRateBuckets({ ...LIMIT, burst_per_second: 100 }).sustained.room).toBe(100);
  });

  it('always has capacity for one request', () => {
    const slow = { per_second: 0.5, burst_per_second: 0.5, burst_seconds: 1 };
    expect(createRateBuckets(slow).sustained).toEqual({ rate: 0.5, room: 1 });
    expect(createRateBuckets(slow).burst).toEqual({ rate: 0.5, room: 1 });
  });
});

describe('verdictHeaders', () => {
  it('names both policies and the state of the emptier bucket', () => {
    const verdict = allowedVerdict(LIMIT, { burst: 150.5, sustained: 950 }, 4);
    expect(verdictHeaders(verdict, 'ingest', LIMIT)).toEqual({
      'RateLimit-Policy': '"ingest-burst";q=200;w=1, "ingest-sustained";q=1000;w=10',
      RateLimit: '"ingest-burst";r=154;t=1',
    });
  });

  it('shows the sustained bucket when that is emptier', () => {
    const verdict = allowedVerdict(LIMIT, { burst: 200, sustained: 30 }, 0);
    expect(verdictHeaders(verdict, 'ingest', LIMIT).RateLimit).toBe('"ingest-sustained";r=30;t=10');
  });

  it('says when to retry in whole seconds, at least one, when refused', () => {
    const verdict = refusedVerdict(LIMIT, { burst: 120, sustained: 0.25 }, 7.5);
    expect(verdictHeaders(verdict, 'ingest', LIMIT)).toMatchObject({
      RateLimit: '"ingest-sustained";r=0;t=1',
    });
  });

  it('returns a longer time for a slow limit', () => {
    const slow = { per_second: 0.1, burst_per_second: 1, burst_seconds: 10 };
    const verdict = refusedVerdict(slow, { burst: 1, sustained: 0.25 }, 7_500);
    expect(verdictHeaders(verdict, 'writes', slow)).toMatchObject({
      RateLimit: '"writes-sustained";r=0;t=8',
    });
  });
});
