/** The plans that decide leads, each with the promises and restrictions of its lead. */
import type { Lead } from '../leads/rules/lead.js';
import { planId, type Plan } from '../account/rules/plan.js';
import { planOfLead } from '../leads/rules/locks.js';
import { UnreadablePlans, type PlanStore } from '../account/store/plans.js';
import type { AccountCollections } from '../account/store/collections.js';

/**
 * The plan that the lead arrived under.
 * @throws {Error} why it cannot be read: this concerns this lead, and no other of its group
 */
export type PlanFor = (lead: Lead) => Plan;

/** Loads the plans of a group together. Each lead gets the same object at every call. */
export async function readPlans(
  leads: readonly Lead[],
  { plans }: { plans: PlanStore },
): Promise<PlanFor> {
  const stored = await readReadable(leads.map(idOf), plans);
  const adapted = new Map<string, Plan>();
  return (lead) => {
    const known = adapted.get(lead._id);
    if (known) return known;
    const plan = stored(idOf(lead));
    if (!(lead.ping ?? lead.resale)) return plan;
    const planned = planOfLead(plan, lead);
    adapted.set(lead._id, planned);
    return planned;
  };
}

const idOf = ({ campaign_id, plan_version }: Lead): string => planId(campaign_id, plan_version);

type CampaignOf = Pick<Lead, 'campaign_id'>;

/**
 * The current version of a lead's campaign; undefined when there is no such campaign.
 * @throws {Error} why it cannot be read
 */
export type LatestFor = (lead: CampaignOf) => Plan | undefined;

/** Loads the current versions of the campaigns of these leads together. */
export async function readLatestPlans(
  leads: readonly CampaignOf[],
  { collections, plans }: { collections: Pick<AccountCollections, 'campaigns'>; plans: PlanStore },
): Promise<LatestFor> {
  if (leads.length === 0) return () => undefined;
  const campaignIds = [...new Set(leads.map((lead) => lead.campaign_id))];
  const campaigns = await collections.campaigns
    .find({ _id: { $in: campaignIds } }, { projection: { plan_version: 1 } })
    .toArray();
  const ids = new Map(campaigns.map(({ _id, plan_version }) => [_id, planId(_id, plan_version)]));
  const stored = await readReadable([...ids.values()], plans);
  return ({ campaign_id }) => {
    const id = ids.get(campaign_id);
    return id === undefined ? undefined : stored(id);
  };
}

/** @returns the plan of an id, or throws why this one cannot be read */
async function readReadable(
  ids: readonly string[],
  plans: PlanStore,
): Promise<(id: string) => Plan> {
  let faults: UnreadablePlans['faults'] = new Map();
  const found = await plans.get(ids).catch((error: unknown) => {
    if (!(error instanceof UnreadablePlans)) throw error;
    ({ faults } = error);
    return error.plans;
  });
  return (id) => {
    const plan = found.get(id);
    if (!plan) throw faults.get(id) ?? new Error(`Plan ${id} is not stored`);
    return plan;
  };
}
