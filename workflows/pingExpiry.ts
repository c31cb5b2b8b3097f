import { continueAsNew } from '@temporalio/workflow';
import { describeExpiry } from './details.js';
import { expireAtEnd } from './expireAtEnd.js';
import type { ExpiryDone, ExpiryInput } from './messages.js';
import { durableLane } from './proxies.js';

/** The pings of one minute: when it is over, those that no lead has redeemed expire. */
export async function pingExpiry(input: ExpiryInput): Promise<ExpiryDone> {
  return expireAtEnd(input, {
    expire: durableLane(input.taskQueue).expirePings,
    describe: (state) =>
      describeExpiry(state, {
        before: 'Pings that are not redeemed expire then.',
        after: 'All pings that were not redeemed have expired.',
      }),
    goOn: (expired) => continueAsNew<typeof pingExpiry>({ ...input, expired }),
  });
}
