import { describe, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { createGather } from '../../src/lib/gather.js';

/** Doubles numbers, and refuses those below 0; `groups` has what it was asked at once. */
function doubling(options: { waitMs: number; max: number }) {
  const groups: number[][] = [];
  const ask = createGather<number, number>({
    ...options,
    answer(items) {
      groups.push([...items]);
      return items.map(async (item) => {
        await delay(1);
        if (item < 0) throw new Error(`${item} is refused`);
        return 2 * item;
      });
    },
  });
  return { ask, groups };
}

describe('what is asked for at nearly the same time', () => {
  it('is answered together, each by itself', async () => {
    const { ask, groups } = doubling({ waitMs: 0, max: 10 });
    const answers = await Promise.allSettled([ask(1), ask(-2), ask(3)]);
    expect(answers).toEqual([
      { status: 'fulfilled', value: 2 },
      { status: 'rejected', reason: new Error('-2 is refused') },
      { status: 'fulfilled', value: 6 },
    ]);
    expect(await ask(4)).toBe(8);
    expect(groups).toEqual([[1, -2, 3], [4]]);
  });

  it('waits for others that come a little later, and begins after the last one came', async () => {
    const { ask, groups } = doubling({ waitMs: 30, max: 10 });
    const first = ask(1);
    await delay(5);
    expect(groups).toEqual([]);
    expect(await Promise.all([first, ask(2)])).toEqual([2, 4]);
    expect(groups).toEqual([[1, 2]]);
  });

  it('does not wait once a group is full, and leaves the next one its time', async () => {
    const { ask, groups } = doubling({ waitMs: 30, max: 2 });
    const all = [ask(1), ask(2), ask(3)];
    expect(groups).toEqual([[1, 2]]);
    expect(await Promise.all(all)).toEqual([2, 4, 6]);
    expect(groups).toEqual([[1, 2], [3]]);
  });

  it('is refused where the whole group is', async () => {
    const ask = createGather<number, number>({
      waitMs: 0,
      max: 10,
      answer() {
        throw new Error('not now');
      },
    });
    await expect(Promise.all([ask(1), ask(2)])).rejects.toThrow('not now');
    const none = createGather<number, number>({ waitMs: 0, max: 10, answer: () => [] });
    await expect(none(1)).rejects.toThrow('not answered');
  });
});
