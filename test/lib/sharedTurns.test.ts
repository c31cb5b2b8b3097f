import { describe, expect, it } from '@jest/globals';
import { createSharedTurns } from '../../src/lib/sharedTurns.js';

/** Work whose turns end when the test says so. */
function openWork() {
  const begun: PromiseWithResolvers<string>[] = [];
  const work = () => {
    const turn = Promise.withResolvers<string>();
    begun.push(turn);
    return turn.promise;
  };
  return { begun, work };
}

describe('shared turns', () => {
  it('give all that ask during a turn the next one, and never the one that began before', async () => {
    const share = createSharedTurns<string>();
    const { begun, work } = openWork();
    const first = share('a', work);
    const later = [share('a', work), share('a', work), share('a', work)];
    expect(begun).toHaveLength(1);
    begun[0]?.resolve('first');
    expect(await first).toBe('first');
    await Promise.resolve();
    expect(begun).toHaveLength(2);
    const latest = share('a', work);
    begun[1]?.resolve('second');
    expect(await Promise.all(later)).toEqual(['second', 'second', 'second']);
    await Promise.resolve();
    begun[2]?.resolve('third');
    expect(await latest).toBe('third');
    expect(begun).toHaveLength(3);
  });

  it('do not wait for those of another key', async () => {
    const share = createSharedTurns<string>();
    const { begun, work } = openWork();
    const both = [share('a', work), share('b', work)];
    expect(begun).toHaveLength(2);
    for (const turn of begun) turn.resolve('done');
    expect(await Promise.all(both)).toEqual(['done', 'done']);
  });

  it('begin the next one after a failure, which only those of that turn learn of', async () => {
    const share = createSharedTurns<string>();
    const { begun, work } = openWork();
    const failed = share('a', work);
    const next = share('a', work);
    begun[0]?.reject(new Error('no database'));
    await expect(failed).rejects.toThrow('no database');
    await Promise.resolve();
    begun[1]?.resolve('done');
    expect(await next).toBe('done');
    const after = share('a', work);
    expect(begun).toHaveLength(3);
    begun[2]?.resolve('again');
    expect(await after).toBe('again');
  });
});
