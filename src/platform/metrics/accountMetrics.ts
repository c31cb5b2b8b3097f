/**
 * What a process counts for each campaign and buyer, since its start. A process that dies takes its counts with it: what
 * must agree with the record is read from the database (`stateMetrics.ts`).
 */
import type { Registry } from 'prom-client';
import { createCounts, createHistograms } from './cells.js';
import type { Labels } from './labels.js';
import { showDistributions, showSamples } from './samples.js';

/** The campaigns and buyers that metrics name. */
export interface AccountLabels {
  campaigns: Labels;
  buyers: Labels;
}

/** How leads are answered. REJECTED: by a filter, a suppression list or the cap of the supplier or the campaign. */
export const LEAD_RESULTS = ['ACCEPTED', 'PENDING', 'UNMATCHED', 'DUPLICATE', 'REJECTED'] as const;
export type LeadResult = (typeof LEAD_RESULTS)[number];

/** `not_taken`: the buyer certainly has not accepted it. `not_sent`: a limit of this installation held it back. */
export const ATTEMPT_RESULTS = [
  'accepted',
  'rejected',
  'not_taken',
  'unknown',
  'not_sent',
] as const;
export type AttemptResult = (typeof ATTEMPT_RESULTS)[number];

/** In seconds: from buyers nearby to those that take as long as they may. */
const DELIVERY_BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

export function createAccountMetrics(registry: Registry, { campaigns, buyers }: AccountLabels) {
  const leads = createCounts(campaigns, LEAD_RESULTS);
  const attempts = createCounts(buyers, ATTEMPT_RESULTS);
  const seconds = createHistograms(DELIVERY_BUCKETS);
  showSamples(
    registry,
    'counter',
    {
      name: 'leadwire_leads_total',
      help: 'Leads answered to their suppliers, by campaign and status; without test leads and repeated answers',
      labelNames: ['campaign_id', 'status'],
    },
    () => leads.samples('campaign_id', 'status'),
  );
  showSamples(
    registry,
    'counter',
    {
      name: 'leadwire_delivery_attempts_total',
      help: 'Deliveries of leads to buyers, by buyer and result of the attempt; without test leads',
      labelNames: ['buyer_id', 'result'],
    },
    () => attempts.samples('buyer_id', 'result'),
  );
  showDistributions(
    registry,
    {
      name: 'leadwire_delivery_seconds',
      help: 'Seconds from the sending of a lead to the answer of its buyer, or to its time limit; without test leads',
      labelNames: ['buyer_id'],
      buckets: DELIVERY_BUCKETS,
    },
    () => seconds.samples('buyer_id'),
  );
  return {
    /** A supplier got this answer for a lead. */
    countLead: (campaignId: string, result: LeadResult): void => leads.add(campaignId, result),
    /** A buyer was asked to accept a lead; what was not sent took no time. */
    countAttempt(buyerId: string, result: AttemptResult, tookMs: number): void {
      attempts.add(buyerId, result);
      if (result !== 'not_sent') seconds.observe(buyers.of(buyerId), tookMs / 1_000);
    },
  };
}
