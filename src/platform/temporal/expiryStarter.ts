import type { Client } from '@temporalio/client';
import type { outcomeExpiry } from '../../../workflows/outcomeExpiry.js';
import type { pingExpiry } from '../../../workflows/pingExpiry.js';
import { outcomeExpiryId, pingExpiryId, type TaskQueues } from './names.js';

/** A start that takes longer counts as failed, in milliseconds. */
const START_MS = 2_000;

/** The kinds of expiry, with the id and description of their workflows. */
const KINDS = {
  ping: {
    workflow: 'pingExpiry',
    idOf: pingExpiryId,
    summary: 'Pings that expire by',
    details: `Each ping can be redeemed by one lead until it expires. One workflow sleeps for all pings that
expire within the same minute. Then the pings that were not redeemed are marked as expired in MongoDB, a thousand at a
time, and the event \`ping.expired\` lists them. Ending this workflow by hand loses nothing: \`reconcile\` finds overdue
pings.`,
  },
  outcome: {
    workflow: 'outcomeExpiry',
    idOf: outcomeExpiryId,
    summary: 'Sales whose time limit for an outcome ends by',
    details: `A campaign may limit the time in which a buyer reports the outcome of a sale. One workflow sleeps for
all sales whose limit falls within the same hour. Then the sales without a reported outcome get the outcome \`expired\`,
some hundred at a time. Ending this workflow by hand loses nothing: \`reconcile\` finds overdue sales.`,
  },
} as const;

export type ExpiryStarter = ReturnType<typeof createExpiryStarter>;

export function createExpiryStarter(
  client: Client,
  queues: TaskQueues,
  kind: keyof typeof KINDS = 'ping',
) {
  const { workflow, idOf, summary, details } = KINDS[kind];
  return {
    /**
     * Makes sure that everything that expires by then is expired, and not a bucket earlier.
     * @param until the same instant for all of a bucket
     * @throws {Error} when Temporal has not answered within two seconds
     */
    async expire(until: Date): Promise<void> {
      const named = until.toISOString();
      await client.withDeadline(Date.now() + START_MS, () =>
        client.workflow.start<typeof pingExpiry | typeof outcomeExpiry>(workflow, {
          workflowId: idOf(queues, until),
          taskQueue: queues.leads,
          args: [{ until: named, taskQueue: queues.delivery }],
          workflowIdConflictPolicy: 'USE_EXISTING',
          // One may be stored after the workflow of its bucket has completed.
          workflowIdReusePolicy: 'ALLOW_DUPLICATE',
          staticSummary: `${summary} ${named}`,
          staticDetails: details,
        }),
      );
    },
  };
}
