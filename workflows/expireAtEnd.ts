import {
  setCurrentDetails,
  sleep,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import { defineSearchAttributeKey } from '@temporalio/common';
import type { Expired, ExpiryDone, ExpiryInput } from './messages.js';

export interface Expiring {
  /** One call: expires what is over by then. */
  expire: (until: { until: string }) => Promise<Expired>;
  /** For the Temporal UI. */
  describe: (state: { until: string; expired: number; isOver: boolean }) => string;
  /** Continues as a new run. */
  goOn: (expired: number) => Promise<never>;
}

/**
 * Sleeps until a bucket of time is over, and then expires its contents, call by call. For any number of them this is
 * one workflow, and it costs nothing while it sleeps.
 */
export async function expireAtEnd(
  input: ExpiryInput,
  { expire, describe, goOn }: Expiring,
): Promise<ExpiryDone> {
  const { until } = input;
  let expired = input.expired ?? 0;
  setCurrentDetails(describe({ until, expired, isOver: false }));
  const leftMs = Date.parse(until) - Date.now();
  if (leftMs > 0) await sleep(leftMs);
  for (;;) {
    const result = await expire({ until });
    expired += result.expired;
    setCurrentDetails(describe({ until, expired, isOver: result.isOver }));
    upsertSearchAttributes([
      { key: ORG_ID, value: result.org_ids },
      { key: CAMPAIGN_ID, value: result.campaign_ids },
    ]);
    if (result.isOver) return { until, expired };
    if (workflowInfo().continueAsNewSuggested) await goOn(expired);
  }
}

// Search attributes that workflows set themselves. The names are those of `src/platform/temporal/names.ts`, which is not bundled.

const CAMPAIGN_ID = defineSearchAttributeKey('CampaignId', 'KEYWORD_LIST');
const ORG_ID = defineSearchAttributeKey('OrgId', 'KEYWORD_LIST');
