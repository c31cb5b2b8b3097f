import { expect, it } from '@jest/globals';
import { loadOnce } from '../../src/lib/loadOnce.js';

it('loadOnce keeps what it loaded, and retries a failed load', async () => {
  let loads = 0;
  const read = loadOnce(() => {
    loads += 1;
    return loads === 1 ? Promise.reject(new Error('too many open files')) : Promise.resolve(loads);
  });
  const [first, atOnce] = [read(), read()];
  await expect(first).rejects.toThrow('too many open files');
  await expect(atOnce).rejects.toThrow('too many open files');
  expect([await read(), await read(), loads]).toEqual([2, 2, 2]);
});
