import { continueAsNew } from '@temporalio/workflow';
import { describeExpiry } from './details.js';
import { expireAtEnd } from './expireAtEnd.js';
import type { ExpiryDone, ExpiryInput } from './messages.js';
import { durableLane } from './proxies.js';

/** The conversion windows of one hour: when it is over, sales without a reported outcome get the outcome `expired`. */
export async function outcomeExpiry(input: ExpiryInput): Promise<ExpiryDone> {
  return expireAtEnd(input, {
    expire: durableLane(input.taskQueue).expireOutcomes,
    describe: (state) =>
      describeExpiry(state, {
        before: 'The time limit for the outcome of some sales ends then.',
        after: 'The time limit has passed for all sales without an outcome.',
      }),
    goOn: (expired) => continueAsNew<typeof outcomeExpiry>({ ...input, expired }),
  });
}
