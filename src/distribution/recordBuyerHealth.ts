/** Buyers' health as their answers show it. */
import {
  addSample,
  recordHealth,
  type HealthSamples,
} from '../deliveries/destinations/recordHealth.js';
import type { SellingDeps } from './deps.js';
import type { Answered } from './task.js';

/**
 * Counts failures in a row per buyer and pauses it; a buyer that answers again is healthy at once. Never rejects: what
 * cannot be recorded is lost, because a repetition would count the same failure twice.
 */
export async function recordBuyerHealth(
  answers: readonly Answered[],
  now: Date,
  deps: SellingDeps,
): Promise<void> {
  const samples: HealthSamples = new Map();
  for (const { task, terms, verdict } of answers)
    addSample(samples, { buyer_id: terms.buyer_id, org_id: task.lead.org_id, verdict });
  await recordHealth(samples, 'delivery', now, deps).catch((error: unknown) =>
    deps.log.warn({ err: error, buyers: samples.size }, 'the health of buyers is not recorded'),
  );
}
