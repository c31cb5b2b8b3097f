/** Decides stored leads again, by the plans and the facts that they name. */
import type { Lead } from '../../leads/rules/lead.js';
import { planId } from '../../account/rules/plan.js';
import { replayLead, versionsOf, type Replayed } from './replayLead.js';
import type { AccountCollections } from '../../account/store/collections.js';
import type { LeadCollections } from '../../leads/store/collections.js';
import { sampleLeads, type LeadChoice } from '../../leads/store/sampleLeads.js';
import { createPlanStore } from '../../account/store/plans.js';

/** `trimmed`: its trail has lost entries in its middle, so that it cannot be compared. */
export type ReplayVerdict = Replayed | { kind: 'trimmed' };

export interface ReplayedLead {
  leadId: string;
  orgId: string;
  verdict: ReplayVerdict;
}

export interface ReplayChoice extends Pick<LeadChoice, 'leadId' | 'limit'> {
  /** Leads of one campaign, newest first. */
  campaignId?: string;
}

/**
 * One after the other, in bounded memory; nothing is written. A campaign that does not exist has none.
 * @throws {Error} when a plan that a lead names is not stored
 */
export async function* replayLeads(
  collections: Pick<AccountCollections & LeadCollections, 'campaigns' | 'plans' | 'leads'>,
  { campaignId, ...choice }: ReplayChoice,
): AsyncGenerator<ReplayedLead> {
  const plans = createPlanStore(collections.plans);
  const campaign = await campaignOf(campaignId, collections);
  if (campaign === null) return;
  for await (const lead of sampleLeads(collections.leads, { ...choice, ...campaign })) {
    const verdict = await verdictOn(lead, plans);
    yield { leadId: lead._id, orgId: lead.org_id, verdict };
  }
}

/** Null when there is no such campaign. */
async function campaignOf(
  campaignId: string | undefined,
  { campaigns }: Pick<AccountCollections, 'campaigns'>,
): Promise<Pick<LeadChoice, 'campaign'> | null> {
  if (campaignId === undefined) return {};
  const found = await campaigns.findOne({ _id: campaignId }, { projection: { org_id: 1 } });
  return found && { campaign: { org_id: found.org_id, campaign_id: campaignId } };
}

async function verdictOn(
  lead: Lead,
  plans: ReturnType<typeof createPlanStore>,
): Promise<ReplayVerdict> {
  if (lead.trail_dropped !== undefined) return { kind: 'trimmed' };
  const idOf = (version: number): string => planId(lead.campaign_id, version);
  const named = await plans.get(versionsOf(lead).map(idOf));
  return replayLead(lead, (version) => named.get(idOf(version)));
}
