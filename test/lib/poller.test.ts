import { afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createPoller, type PollerOptions } from '../../src/lib/poller.js';
import { endSharedService } from '../support/sharedService.js';

const TOO_LATE = new Error('too late');

describe('a poller', () => {
  // Its timers would be replaced too.
  beforeAll(endSharedService);
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  /** Reads the values in `known`, and records each read. */
  function aPoller(options: Partial<PollerOptions<string>> = {}) {
    const known = new Map<string, string>();
    const reads: { ids: readonly string[]; due: readonly string[] }[] = [];
    const warnings: string[] = [];
    const poller = createPoller<string>({
      clock: { monotonic: () => Date.now() },
      log: { warn: (_fields: unknown, text?: string) => void warnings.push(text ?? '') },
      firstAfterMs: 0,
      everyMs: 50,
      waitMinMs: 20,
      read: (ids, due) => {
        reads.push({ ids, due });
        return Promise.resolve(known);
      },
      isFinal: (found) => found === 'final',
      failure: 'could not be read',
      tooLate: () => TOO_LATE,
      ...options,
    });
    const wait = (id: string, dueInMs: number, giveUpInMs: number) => {
      const told: { found?: string | undefined; error?: unknown; at?: number } = {};
      const start = Date.now();
      poller
        .wait(id, start + dueInMs, start + giveUpInMs)
        .then((found) => (told.found = found))
        .catch((error: unknown) => (told.error = error))
        .finally(() => (told.at = Date.now() - start));
      return told;
    };
    return { known, reads, warnings, wait };
  }

  it('returns final results at the next read, one read for all, and then stops reading', async () => {
    const { known, reads, wait } = aPoller();
    const told = [wait('a', 1_000, 2_000), wait('a', 1_000, 2_000), wait('b', 1_000, 2_000)];
    await jest.advanceTimersByTimeAsync(70);
    known.set('a', 'final').set('b', 'final');
    await jest.advanceTimersByTimeAsync(1_000);
    expect(told).toEqual(Array.from({ length: 3 }, () => ({ found: 'final', at: 100 })));
    expect(reads.slice(1)).toEqual([
      { ids: ['a', 'b'], due: [] },
      { ids: ['a', 'b'], due: [] },
    ]);
  });

  it('returns the latest result at the timeout, after a final read', async () => {
    const { known, reads, wait } = aPoller();
    known.set('a', 'open');
    const told = [wait('a', 100, 2_000), wait('b', 100, 2_000), wait('c', Infinity, 110)];
    await jest.advanceTimersByTimeAsync(300);
    expect(told).toEqual([
      { found: 'open', at: 100 },
      { found: undefined, at: 100 },
      { error: TOO_LATE, at: 110 },
    ]);
    expect(reads.at(-1)).toEqual({ ids: ['b', 'c', 'a'], due: ['b', 'a'] });
  });

  it('takes turns when more callers wait than one read covers', async () => {
    const { known, reads, wait } = aPoller({ readMax: 2 });
    const told = ['a', 'b', 'c'].map((id) => wait(id, 1_000, 2_000));
    await jest.advanceTimersByTimeAsync(60);
    expect(reads.map(({ ids }) => ids)).toEqual([['a'], ['b', 'c']]);
    known.set('a', 'final').set('b', 'final').set('c', 'final');
    await jest.advanceTimersByTimeAsync(200);
    expect(told.map(({ found }) => found)).toEqual(['final', 'final', 'final']);
  });

  it('times out callers while reads hang or fail, and serves the others when reads work again', async () => {
    let isAway = true;
    const { warnings, wait } = aPoller({
      read: (ids) =>
        isAway
          ? Promise.reject(new Error('away'))
          : Promise.resolve(new Map(ids.map((id) => [id, 'final']))),
    });
    const [first, second] = [wait('a', 50, 120), wait('b', 50, 500)];
    await jest.advanceTimersByTimeAsync(130);
    expect(first).toEqual({ error: TOO_LATE, at: 120 });
    expect(warnings).toEqual(Array.from({ length: 3 }, () => 'could not be read'));
    isAway = false;
    await jest.advanceTimersByTimeAsync(50);
    expect(second).toEqual({ found: 'final', at: 150 });

    const hanging = aPoller({ read: () => new Promise(() => undefined) });
    const told = hanging.wait('a', 50, 120);
    await jest.advanceTimersByTimeAsync(200);
    expect(told).toEqual({ error: TOO_LATE, at: 120 });
  });

  it('gives a late caller its minimum time, and starts after the first pause', async () => {
    const { known, reads, wait } = aPoller({ firstAfterMs: 15 });
    known.set('a', 'final');
    const told = wait('a', -100, -50);
    await jest.advanceTimersByTimeAsync(14);
    expect(reads).toEqual([]);
    await jest.advanceTimersByTimeAsync(10);
    expect(told).toEqual({ found: 'final', at: 15 });
  });
});
