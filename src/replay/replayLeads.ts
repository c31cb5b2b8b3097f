/** Decides stored leads again, by the plans and the facts that they name. */
import type { Lead } from '../domain/lead.js';
import { planId } from '../domain/plan.js';
import { replay, versionsOf, type Replayed } from '../domain/replay.js';
import type { Collections } from '../store/collections.js';
import { planStore } from '../store/plans.js';

export interface ReplayChoice {
  /** One lead. */
  leadId?: string;
  /** Those of one campaign. */
  campaignId?: string;
  /** At the most, 1 or more. */
  limit: number;
}

/** `trimmed`: its trail has lost entries in its middle, so that nothing can be said. */
export type ReplayVerdict = Replayed | { kind: 'trimmed' };

export interface ReplayedLead {
  leadId: string;
  verdict: ReplayVerdict;
}

/**
 * One after the other, in bounded memory; nothing is written.
 * @throws {Error} when a plan that a lead names is not stored
 */
export async function* replayLeads(
  collections: Pick<Collections, 'leads' | 'plans'>,
  choice: ReplayChoice,
): AsyncGenerator<ReplayedLead> {
  const plans = planStore(collections.plans);
  for await (const lead of leadsOf(collections, choice)) {
    yield { leadId: lead._id, verdict: await verdictOn(lead, plans) };
  }
}

/** Ids are random, so that the first by id are a sample of all. */
const leadsOf = (
  { leads }: Pick<Collections, 'leads'>,
  { leadId, campaignId, limit }: ReplayChoice,
) => {
  if (leadId !== undefined) return leads.find({ _id: leadId });
  if (campaignId !== undefined) return leads.find({ campaign_id: campaignId }).limit(limit);
  return leads.find().sort({ _id: 1 }).limit(limit);
};

async function verdictOn(lead: Lead, plans: ReturnType<typeof planStore>): Promise<ReplayVerdict> {
  if (lead.trail_dropped !== undefined) return { kind: 'trimmed' };
  const idOf = (version: number): string => planId(lead.campaign_id, version);
  const named = await plans.get(versionsOf(lead).map(idOf));
  return replay(lead, (version) => named.get(idOf(version)));
}
