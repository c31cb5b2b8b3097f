import {
  continueAsNew,
  setCurrentDetails,
  sleep,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import { CAMPAIGN_ID, ORG_ID } from './attributes.js';
import { describeExpiry } from './details.js';
import type { PingExpiryInput } from './messages.js';
import { durableLane } from './proxies.js';

/**
 * The pings of one minute: sleeps until it is over, and then has those expire that no lead has redeemed. However many
 * they are, this is one workflow, and it costs nothing while it sleeps.
 */
export async function pingExpiry(input: PingExpiryInput): Promise<void> {
  const { until, taskQueue } = input;
  const { expirePings } = durableLane(taskQueue);
  let expired = input.expired ?? 0;
  setCurrentDetails(describeExpiry({ until, expired, isOver: false }));
  const leftMs = Date.parse(until) - Date.now();
  if (leftMs > 0) await sleep(leftMs);
  for (;;) {
    const result = await expirePings({ until });
    expired += result.expired;
    setCurrentDetails(describeExpiry({ until, expired, isOver: result.isOver }));
    upsertSearchAttributes([
      { key: ORG_ID, value: result.org_ids },
      { key: CAMPAIGN_ID, value: result.campaign_ids },
    ]);
    if (result.isOver) return;
    if (workflowInfo().continueAsNewSuggested)
      await continueAsNew<typeof pingExpiry>({ ...input, expired });
  }
}
