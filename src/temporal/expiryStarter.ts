import type { Client } from '@temporalio/client';
import type { pingExpiry } from '../../workflows/pingExpiry.js';
import { pingExpiryId, type TaskQueues } from './names.js';

export interface ExpiryStarter {
  /**
   * Makes sure that the pings that expire by then, and not a minute earlier, do.
   * @param until one and the same for all pings of a minute
   * @throws {Error} when Temporal has not answered within two seconds
   */
  expire(until: Date): Promise<void>;
}

/** A start that takes longer has failed, in milliseconds. */
const START_MS = 2_000;

const DETAILS = `Each ping can be redeemed by one lead until it expires. One workflow sleeps for all pings that
expire within the same minute; when it is over, those that were not redeemed are marked as expired in MongoDB, a
thousand at a time, and the event \`ping.expired\` names them. Ending this workflow by hand loses nothing: \`reconcile\`
finds what has not expired in time.`;

export function expiryStarter(client: Client, queues: TaskQueues): ExpiryStarter {
  return {
    async expire(until) {
      const named = until.toISOString();
      await client.withDeadline(Date.now() + START_MS, () =>
        client.workflow.start<typeof pingExpiry>('pingExpiry', {
          workflowId: pingExpiryId(queues, until),
          taskQueue: queues.leads,
          args: [{ until: named, taskQueue: queues.delivery }],
          workflowIdConflictPolicy: 'USE_EXISTING',
          // A ping may be stored late, when those of its minute have expired.
          workflowIdReusePolicy: 'ALLOW_DUPLICATE',
          staticSummary: `Pings that expire by ${named}`,
          staticDetails: DETAILS,
        }),
      );
    },
  };
}
