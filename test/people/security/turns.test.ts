/** Who waits for costly work, and how many. */
import { describe, expect, it } from '@jest/globals';
import { createTurns } from '../../../src/people/security/turns.js';

describe('turns', () => {
  const start = () => {
    const turns = createTurns({ atOnce: 2, waitingMax: 3 });
    const done: string[] = [];
    const gates: (() => void)[] = [];
    const take = (name: string, goesFirst = false) =>
      turns.take(async () => {
        await new Promise<void>((resolve) => gates.push(resolve));
        done.push(name);
      }, goesFirst);
    /** Lets each that runs end, until nobody waits. */
    const drain = async () => {
      while (gates.length > 0) {
        gates.splice(0).forEach((open) => open());
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    return { take, done, gates, drain };
  };

  it('come by the order of arrival, and first to those who go first', async () => {
    const { take, done, gates, drain } = start();
    const all = [take('a'), take('b'), take('c'), take('d'), take('owner', true)];
    expect(gates).toHaveLength(2);
    await drain();
    await Promise.all(all);
    expect(done).toEqual(['a', 'b', 'owner', 'c', 'd']);
  });

  it('are refused when too many wait, and those who go first have a queue of their own', async () => {
    const { take, done, drain } = start();
    const others = ['a', 'b', 'c', 'd', 'e'].map((name) => take(name));
    await expect(take('f')).rejects.toMatchObject({ code: 'unavailable' });
    const owner = take('owner', true);
    await drain();
    await Promise.all([...others, owner]);
    expect(done.indexOf('owner')).toBe(2);
  });
});
