import { describe, expect, it } from '@jest/globals';
import { createLookupQueue } from '../../../../src/platform/outbound/names/lookupQueue.js';
import { signal } from '../doorFixture.js';

describe('the turns of an asker', () => {
  it('are limited in number, and the others follow in order', async () => {
    const turns = createLookupQueue({ atOnceMax: 2, waitingMax: 10, waitMs: 5_000 });
    const { given, give } = signal();
    const begun: number[] = [];
    const work = (index: number) =>
      turns.take('org', () => {
        begun.push(index);
        return index < 2 ? given : Promise.resolve();
      });
    const all = [0, 1, 2, 3].map(work);
    expect(begun).toEqual([0, 1]);
    await turns.take('another', () => Promise.resolve(begun.push(9)));
    expect(begun).toEqual([0, 1, 9]);
    give();
    await Promise.all(all);
    expect(begun).toEqual([0, 1, 9, 2, 3]);
  });

  it('continue after work that fails', async () => {
    const turns = createLookupQueue({ atOnceMax: 1, waitingMax: 10, waitMs: 5_000 });
    const failing = turns.take('org', () => Promise.reject(new Error('failed')));
    const next = turns.take('org', () => Promise.resolve('done'));
    await expect(failing).rejects.toThrow('failed');
    expect(await next).toBe('done');
  });

  it('are refused when too many wait, or after too long', async () => {
    const turns = createLookupQueue({ atOnceMax: 1, waitingMax: 1, waitMs: 20 });
    const { given, give } = signal();
    const first = turns.take('org', () => given);
    const second = turns.take('org', () => Promise.resolve('done'));
    await expect(turns.take('org', () => Promise.resolve())).rejects.toThrow('too many lookups');
    await expect(second).rejects.toThrow('took all the time');
    give();
    await first;
    expect(await turns.take('org', () => Promise.resolve('again'))).toBe('again');
  });
});
