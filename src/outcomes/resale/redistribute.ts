/** Carries out orders to sell leads again. */
import { createHash } from 'node:crypto';
import type { Clock } from '../../lib/clock.js';
import { buyersWithData } from '../../deliveries/rules/attempts.js';
import { resoldLead, findResaleRefusal } from '../../leads/rules/resale.js';
import type { Lead } from '../../leads/rules/lead.js';
import type { Plan } from '../../account/rules/plan.js';
import { receivedEntry } from '../../routing/rules/screen.js';
import type { Log } from '../../lib/log.js';
import type { OutcomeCollections } from '../store/collections.js';
import { isDuplicateKey } from '../../platform/mongo/databaseErrors.js';
import type { DeliveryStore } from '../../deliveries/store/deliveries.js';
import type { PlanStore } from '../../account/store/plans.js';
import { readLatestPlans } from '../../distribution/readPlans.js';
import type { LeadStarter } from '../../distribution/starters.js';
import type { Redistribute, ResaleOrder } from './types.js';

export interface ResaleDeps {
  collections: Pick<OutcomeCollections, 'campaigns' | 'leads'>;
  deliveries: Pick<DeliveryStore, 'ofLeads'>;
  plans: PlanStore;
  starter: Pick<LeadStarter, 'restart'>;
  clock: Pick<Clock, 'now'>;
  log: Log;
}

/** The new lead is stored, then started: a process that dies in between leaves a lead that `reconcile` starts. */
export const createRedistribute =
  (deps: ResaleDeps): Redistribute =>
  async (order) => {
    const id = resaleId(order);
    const { leads } = deps.collections;
    const stored = await leads.findOne({ _id: id }, { projection: STARTED_BY });
    if (stored) {
      await start(stored, deps);
      return { lead_id: id };
    }
    const plan = await currentPlan(order, deps);
    if (!plan) return { refused: `There is no campaign ${order.campaign_id}.` };
    const refused = findResaleRefusal(order.lead, plan);
    if (refused !== null) return { refused };
    const lead = leadOf(
      id,
      { ...order, exclude: await excluded(order, deps) },
      plan,
      deps.clock.now(),
    );
    await insertOnce(lead, deps);
    await start(lead, deps);
    return { lead_id: id };
  };

const STARTED_BY = { org_id: 1, campaign_id: 1, status: 1, run: 1 } as const;

/** An id of the form of all lead ids, the same for each repetition of an order. */
function resaleId({ id, lead }: ResaleOrder): string {
  const hex = createHash('sha256')
    .update(JSON.stringify([lead.org_id, id]))
    .digest('hex');
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`];
  return [...parts, `a${hex.slice(17, 20)}`, hex.slice(20, 32)].join('-');
}

async function currentPlan(
  { campaign_id, lead }: ResaleOrder,
  deps: ResaleDeps,
): Promise<Plan | undefined> {
  const plan = (await readLatestPlans([{ campaign_id }], deps))({ campaign_id });
  return plan?.org_id === lead.org_id ? plan : undefined;
}

/** No order goes to a buyer that may have the data. */
async function excluded(
  { lead, exclude = [] }: ResaleOrder,
  { deliveries }: ResaleDeps,
): Promise<string[]> {
  const rows = (await deliveries.ofLeads([lead._id])).get(lead._id) ?? [];
  return [...new Set([...exclude, ...buyersWithData(lead, rows)])];
}

function leadOf(id: string, order: Required<ResaleOrder>, plan: Plan, now: Date): Lead {
  const { lead: origin, exclude, id: order_id } = order;
  // No request has this hash, so no request counts as this one sent again.
  const body_hash = createHash('sha256').update(`resale ${id}`).digest('base64url');
  const made = resoldLead({ id, order_id, origin, exclude, plan, body_hash, now });
  return { ...made, trail: [receivedEntry(plan.version, now, { origin: origin._id })] };
}

async function insertOnce(lead: Lead, { collections }: ResaleDeps): Promise<void> {
  try {
    await collections.leads.insertOne(lead);
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
}

/** A stored lead is sold sooner or later: `reconcile` makes up for a start that fails. */
async function start(
  lead: Pick<Lead, '_id' | 'org_id' | 'campaign_id' | 'status' | 'run'>,
  { starter, log }: ResaleDeps,
): Promise<void> {
  if (lead.status !== 'NEW' || lead.run) return;
  try {
    await starter.restart([lead]);
  } catch (error) {
    log.warn({ err: error, lead: lead._id }, 'a lead to resell is started later');
  }
}
