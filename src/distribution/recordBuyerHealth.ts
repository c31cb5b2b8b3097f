/** Buyers' health as their answers show it. */
import {
  addSample,
  recordHealth,
  type HealthSamples,
} from '../deliveries/destinations/recordHealth.js';
import { NO_ANSWER_RECORDED } from '../deliveries/store/deliveries.js';
import type { SellingDeps } from './deps.js';
import type { Answered } from './task.js';

/** Counts failures in a row per buyer and pauses it; a buyer that answers again is healthy at once. */
export async function recordBuyerHealth(
  answers: readonly Answered[],
  now: Date,
  deps: SellingDeps,
): Promise<void> {
  const samples: HealthSamples = new Map();
  for (const { task, terms, verdict } of answers) {
    // A run of ours that died is no evidence about the buyer.
    if (verdict.reason === NO_ANSWER_RECORDED) continue;
    addSample(samples, { buyer_id: terms.buyer_id, org_id: task.lead.org_id, verdict });
  }
  await recordHealth(samples, 'delivery', now, deps);
}
