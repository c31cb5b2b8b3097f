import { describe, expect, it } from '@jest/globals';
import { createFailovers } from '../../src/distribution/failovers.js';

const open = () => {
  let end: () => void = () => undefined;
  let fail: (error: Error) => void = () => undefined;
  const work = new Promise<void>((resolve, reject) => ([end, fail] = [resolve, reject]));
  return { work, end: () => end(), fail: () => fail(new Error('lost')) };
};

describe('leads that fail over to other buyers', () => {
  it('do not delay the next wave while they are few, counted for each buyer', async () => {
    const failovers = createFailovers(10);
    failovers.add('a', 9, open().work);
    failovers.add('b', 10, open().work);
    expect(await failovers.room('a', 0)).toBe(true);
    expect(await failovers.room('b', 0)).toBe(false);
    expect(await failovers.room('c', 0)).toBe(true);
  });

  it.each(['end', 'fail'] as const)('delay the next wave until enough of them %s', async (how) => {
    const failovers = createFailovers(10);
    const [first, second] = [open(), open()];
    failovers.add('a', 6, first.work);
    failovers.add('a', 6, second.work);
    const room = failovers.room('a', 60_000);
    first[how]();
    expect(await room).toBe(true);
    failovers.add('a', 6, open().work);
    expect(await failovers.room('a', 5)).toBe(false);
  });
});
