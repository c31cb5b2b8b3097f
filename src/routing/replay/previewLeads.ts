/** What the newest leads of a campaign would have done under another plan. */
import type { Plan } from '../../account/rules/plan.js';
import type { Lead } from '../../leads/rules/lead.js';
import { sampleLeads } from '../../leads/store/sampleLeads.js';
import type { LeadCollections } from '../../leads/store/collections.js';
import type { AccountCollections } from '../../account/store/collections.js';
import { replayLeads, type ReplayVerdict } from './replayLeads.js';
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
  return decideAgain(await sampleLeads(leads, choice).toArray(), plan);
}

/**
 * One lead, decided again as it would be alone, and whether its trail follows from the version that decided it. Nothing
 * is written.
 */
export async function previewOne(
  collections: Pick<AccountCollections & LeadCollections, 'campaigns' | 'plans' | 'leads'>,
  plan: Plan,
  lead: Lead,
): Promise<Preview & { replayed: ReplayVerdict['kind'] | null }> {
  return { ...decideAgain([lead], plan), replayed: await replayedOf(collections, lead) };
}

/** Null for a lead without a decision. */
async function replayedOf(
  collections: Parameters<typeof replayLeads>[0],
  { _id: leadId, status }: Lead,
): Promise<ReplayVerdict['kind'] | null> {
  if (status === 'NEW' || status === 'WITHDRAWN') return null;
  for await (const { verdict } of replayLeads(collections, { leadId, limit: 1 }))
    return verdict.kind;
  return null;
}

/** @param found newest first */
function decideAgain(found: readonly Lead[], plan: Plan): Preview {
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
