import { expect, it } from '@jest/globals';
import type { Client } from '@temporalio/client';
import { createLeadStarter } from '../../src/distribution/starters.js';
import { taskQueues } from '../../src/platform/temporal/names.js';

/** A starter whose names never come, and what it starts, with whether its limit of time held then. */
function aStarter() {
  const started: { memo?: object; staticSummary?: string; isLimited: boolean }[] = [];
  let isLimited = false;
  const client = {
    withDeadline: async (_: number, work: () => Promise<unknown>) => {
      isLimited = true;
      return work().finally(() => (isLimited = false));
    },
    workflow: {
      signalWithStart: (_: string, options: object) => {
        started.push({ ...options, isLimited });
        return Promise.resolve();
      },
    },
  } as unknown as Client;
  let askedWithin: boolean | undefined;
  const nameOf = () => {
    askedWithin = isLimited;
    return new Promise<string>(() => undefined);
  };
  const starter = createLeadStarter(client, taskQueues(''), { warn: () => undefined }, nameOf);
  return { starter, started, askedWithin: () => askedWithin };
}

it('wakes a drain without its name, and in its time, when the database hangs', async () => {
  const { starter, started, askedWithin } = aStarter();
  const from = performance.now();
  await starter.wake('buyer', 'org', false);
  expect(performance.now() - from).toBeLessThan(2_000);
  expect(askedWithin()).toBe(true);
  expect(started).toMatchObject([
    { staticSummary: 'Leads waiting for one buyer', memo: undefined, isLimited: true },
  ]);
});
