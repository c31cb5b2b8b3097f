/** What the newest leads of a campaign would have done under another plan. */
import type { Plan } from '../../account/rules/plan.js';
import type { Lead } from '../../leads/rules/lead.js';
import { sampleLeads } from '../../leads/store/sampleLeads.js';
import type { LeadCollections } from '../../leads/store/collections.js';
import { nothingUsed, previewLead, type Forecast, type PastLead } from './previewLead.js';

export interface Previewed {
  lead: PastLead & Pick<Lead, '_id'>;
  after: Forecast;
}

export interface Preview {
  /** Newest first. */
  leads: Previewed[];
  /** Leads that are not decided yet, or whose trail has lost entries: nothing is said about them. */
  left_out: number;
}

/**
 * The newest live leads, decided again in the order in which they came, so that caps and turns are used up as they would
 * have been. Nothing is written.
 * @param limit 1 or more
 */
export async function previewLeads(
  { leads }: Pick<LeadCollections, 'leads'>,
  plan: Plan,
  limit: number,
): Promise<Preview> {
  const { org_id, campaign_id } = plan;
  const choice = { campaign: { org_id, campaign_id }, limit, onlyLive: true as const };
  const found = await sampleLeads(leads, choice).toArray();
  const known = found.filter(
    ({ status, trail_dropped }) =>
      status !== 'NEW' && status !== 'WITHDRAWN' && trail_dropped === undefined,
  );
  const used = nothingUsed();
  const decided = known
    .toReversed()
    .map((lead): Previewed => ({ lead, after: previewLead(lead, plan, used) }));
  return { leads: decided.toReversed(), left_out: found.length - known.length };
}
