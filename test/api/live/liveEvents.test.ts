/** The text of one feed, read by a client at its own pace. */
import { expect, it } from '@jest/globals';
import type { Step } from '../../../src/api/live/arrivals.js';
import { liveEvents } from '../../../src/api/live/liveEvents.js';

it('ends for a caller who may follow no more, however slowly it reads what it has missed', async () => {
  const now = Date.now();
  const full: Step = { leads: [], reached: { at: new Date(now - 1_000), id: 'a' }, isFull: true };
  let isAllowed = true;
  let batches = 0;
  const feed = liveEvents({
    arrivals: {
      settled: () => full.reached,
      readAfter() {
        batches += 1;
        return Promise.resolve(full);
      },
      follow: () => () => undefined,
    },
    from: { at: new Date(now - 60_000), id: '' },
    scope: { org_id: 'org', is_test: false },
    filter: {},
    isBlind: false,
    checkMs: 0,
    signal: new AbortController().signal,
    now: () => now,
    isAllowed: () => Promise.resolve(isAllowed),
  });
  const next = async (): Promise<string> => {
    const { value } = (await feed.next()) as { value?: string };
    return value ?? '';
  };
  expect(await next()).toContain('retry');
  expect(await next()).toBe(`id: ${now - 1_000}.a\n\n`);
  // The session ends while the client has not yet asked for the next batch.
  isAllowed = false;
  expect(await next()).toContain('event: end');
  expect(await feed.next()).toEqual({ done: true, value: undefined });
  expect(batches).toBe(2);
});
