/** The plans that decide leads, each with the promises and restrictions of its lead. */
import type { Lead } from '../leads/rules/lead.js';
import { planId, type Plan } from '../account/rules/plan.js';
import { planOfLead } from '../leads/rules/planOfLead.js';
import type { PlanStore } from '../account/store/plans.js';
import type { DistributionCollections } from './store/collections.js';

/** Undefined for a plan that is not stored. */
export type PlanFor = (lead: Lead) => Plan | undefined;

/** Loads the plans of a group together. Each lead gets the same object at every call. */
export async function readPlans(
  leads: readonly Lead[],
  { plans }: { plans: PlanStore },
): Promise<PlanFor> {
  const stored = await plans.get(leads.map(idOf));
  const adapted = new Map<string, Plan>();
  return (lead) => {
    const known = adapted.get(lead._id);
    if (known) return known;
    const plan = stored.get(idOf(lead));
    if (!plan || !(lead.ping ?? lead.resale)) return plan;
    const own = planOfLead(plan, lead);
    adapted.set(lead._id, own);
    return own;
  };
}

const idOf = ({ campaign_id, plan_version }: Lead): string => planId(campaign_id, plan_version);

/** The current version of each lead's campaign, by campaign. */
export async function readCurrentPlans(
  leads: readonly Pick<Lead, 'campaign_id'>[],
  {
    collections,
    plans,
  }: { collections: Pick<DistributionCollections, 'campaigns'>; plans: PlanStore },
): Promise<Map<string, Plan>> {
  const campaignIds = [...new Set(leads.map((lead) => lead.campaign_id))];
  const campaigns = await collections.campaigns
    .find({ _id: { $in: campaignIds } }, { projection: { plan_version: 1 } })
    .toArray();
  const current = await plans.get(
    campaigns.map(({ _id, plan_version }) => planId(_id, plan_version)),
  );
  return new Map([...current.values()].map((plan) => [plan.campaign_id, plan]));
}
