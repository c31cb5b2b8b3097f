/** A lead that a campaign takes, and that one of its buyers in test mode would buy, as far as one can be made up. */
import { findCampaign } from '../account/campaigns.js';
import { compilePlan } from '../account/compilePlan.js';
import { loadCampaign } from '../account/loadCampaign.js';
import type { Clock } from '../clock.js';
import { sampleLead, type Sample } from '../domain/sampleLead.js';
import { rulesOfBuyer, rulesToPass } from '../domain/sampleRules.js';
import { fieldToolsFor } from '../intake/fieldTools.js';
import type { Collections } from '../store/collections.js';
import type { TestLeadResult } from './send.js';

export interface SampleMaker {
  campaignId: string;
  /** Another number, another person. */
  lead(n: number): Promise<Sample>;
  /** What to do about such an end, where the account itself stands in the way. */
  hint(status: TestLeadResult['status']): string | undefined;
}

/** @throws {AppError} `not_found` when the organisation has no such campaign */
export async function sampleFor(
  campaignId: string,
  orgId: string,
  { collections, clock }: { collections: Collections; clock: Clock },
): Promise<SampleMaker> {
  await findCampaign(collections, orgId, campaignId);
  const plan = compilePlan(await loadCampaign(collections, campaignId), 0);
  const trying = plan.buyers.filter(({ test_mode, status }) => test_mode && status === 'active');
  const [first] = trying;
  const rules = [...rulesToPass(plan.filters), ...(first ? rulesOfBuyer(first) : [])];
  return {
    campaignId,
    async lead(n) {
      const tools = await fieldToolsFor(plan.fields);
      const context = { now: clock.now(), timeZone: plan.time_zone };
      return sampleLead(plan.fields, { tools, n, rules, context });
    },
    hint(status) {
      if (status !== 'UNMATCHED') return undefined;
      return first
        ? 'The trail says why each buyer was left out.'
        : 'Test leads go to buyers in test mode only, and no active buyer of the campaign is: set test_mode of one ' +
            'with update_buyer, and take it back afterwards.';
    },
  };
}
