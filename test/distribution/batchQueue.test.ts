import { describe, expect, it } from '@jest/globals';
import { createBatchQueue } from '../../src/distribution/batchQueue.js';

describe('batchQueue', () => {
  it('returns what arrived in time, and does not wait for the rest', async () => {
    for (let round = 0; round < 50; round++) {
      const batchQueue = createBatchQueue<string>();
      batchQueue.put('early');
      // The second item never comes: only the timer can end the wait.
      await expect(batchQueue.gather(2, 3)).resolves.toEqual(['early']);
    }
  });

  it('does not wait once all have answered', async () => {
    const batchQueue = createBatchQueue<number>();
    const gathered = batchQueue.gather(2, 60_000);
    batchQueue.put(1);
    batchQueue.put(2);
    await expect(gathered).resolves.toEqual([1, 2]);
  });

  it('waits for the first item, however long it takes', async () => {
    const batchQueue = createBatchQueue<string>();
    const gathered = batchQueue.gather(3, 1);
    setTimeout(() => batchQueue.put('late'), 30);
    await expect(gathered).resolves.toEqual(['late']);
  });

  it('reports when a caller waits and there is no item', async () => {
    const batchQueue = createBatchQueue<string>();
    const waiting = batchQueue.untilWaiting();
    void batchQueue.gather(1, 1);
    await expect(waiting).resolves.toBeUndefined();
    await expect(batchQueue.untilWaiting()).resolves.toBeUndefined();
    batchQueue.put('done');
  });
});
