/** Carries out orders to sell leads again. */
import { createHash } from 'node:crypto';
import type { Clock } from '../../lib/clock.js';
import { buyersWithData } from '../../deliveries/rules/attempts.js';
import type { Lead } from '../../leads/rules/lead.js';
import { isOpen } from '../../leads/rules/leadStatus.js';
import {
  findResaleRefusal,
  replacesSale,
  resoldLead,
  rootOf,
  type Redistribute,
  type ResaleOrder,
} from '../../leads/rules/resale.js';
import { owesOnce } from '../../leads/rules/saleMoney.js';
import { planId, type Plan } from '../../account/rules/plan.js';
import { receivedEntry } from '../../leads/rules/trail.js';
import type { Log } from '../../lib/log.js';
import type { AccountCollections } from '../../account/store/collections.js';
import type { LeadCollections } from '../../leads/store/collections.js';
import { isDuplicateKey } from '../../platform/mongo/databaseErrors.js';
import type { Projected } from '../../platform/mongo/projected.js';
import type { DeliveryStore } from '../../deliveries/store/deliveries.js';
import type { PlanStore } from '../../account/store/plans.js';
import { readLatestPlans } from '../../distribution/readPlans.js';
import type { LeadStarter } from '../../distribution/starters.js';

export interface ResaleDeps {
  collections: Pick<AccountCollections & LeadCollections, 'campaigns' | 'leads'>;
  deliveries: Pick<DeliveryStore, 'ofLeads'>;
  plans: PlanStore;
  starter: Pick<LeadStarter, 'restart'>;
  clock: Pick<Clock, 'now'>;
  log: Log;
}

/** An order that was overtaken finds the lead of the other one, which is still being sold. */
const TRIES = 3;
const BUSY =
  'A lead with these data is still being sold: one buyer could get the same person twice.';
/** More leads with the same data are a mistake. */
const FAMILY_MAX = 100;

/** The new lead is stored, then started: a process that dies in between leaves a lead that `reconcile` starts. */
export const createRedistribute =
  (deps: ResaleDeps): Redistribute =>
  async (order) => {
    const id = resaleId(order);
    for (let tries = 1; tries <= TRIES; tries += 1) {
      const family = await readFamily(id, order, deps);
      const made = family.find(({ _id }) => _id === id);
      if (made) {
        await start(made, deps);
        return { lead_id: id };
      }
      const prepared = await prepare(id, { order, family }, deps);
      if (!('lead' in prepared)) return prepared;
      if (!(await isInserted(prepared.lead, deps))) continue;
      await start(prepared.lead, deps);
      return { lead_id: id };
    }
    return { busy: BUSY };
  };

const RELATIVE = {
  org_id: 1,
  campaign_id: 1,
  status: 1,
  run: 1,
  sales: 1,
  resale: 1,
  trail: 1,
} as const;
/** One of the leads with the same data: the first one, those made from it, and the one that this order has made before. */
type Relative = Projected<Lead, typeof RELATIVE>;

async function readFamily(
  id: string,
  { lead }: ResaleOrder,
  { collections }: ResaleDeps,
): Promise<Relative[]> {
  const root = rootOf(lead);
  return collections.leads
    .find({ $or: [{ _id: { $in: [root, lead._id, id] } }, { 'resale.root': root }] })
    .project<Relative>(RELATIVE)
    .limit(FAMILY_MAX + 2)
    .toArray();
}

/** The new lead, or why there is none. */
async function prepare(
  id: string,
  { order, family }: { order: ResaleOrder; family: readonly Relative[] },
  deps: ResaleDeps,
): Promise<{ lead: Lead } | { refused: string } | { busy: string }> {
  // As it is now: the caller may have read it a while ago.
  const origin = { ...order.lead, ...family.find(({ _id }) => _id === order.lead._id) };
  // A buyer that one of them may still be sold to would be offered the new one too, and pay twice for one person.
  if (family.some(({ status }) => isOpen(status))) return { busy: BUSY };
  const plan = await currentPlan(order, deps);
  if (!plan) return { refused: `There is no campaign ${order.campaign_id}.` };
  const refused = findResaleRefusal(origin, plan);
  if (refused !== null) return { refused };
  if (family.length >= FAMILY_MAX)
    return { refused: `Its data are in ${FAMILY_MAX} leads already, which is the maximum.` };
  const rows = await deps.deliveries.ofLeads(family.map(({ _id }) => _id));
  const withData = family.flatMap((one) => buyersWithData(one, rows.get(one._id) ?? []));
  const { id: order_id, returned_by } = order;
  const made = resoldLead({
    id,
    order_id,
    origin,
    exclude: [...(order.exclude ?? []), ...withData],
    plan,
    nth: 1 + Math.max(0, ...family.map(({ resale }) => resale?.nth ?? 0)),
    replaced: { returned_by, owesOnce: await isOwedOnce(origin, plan, deps) },
    // No request has this hash, so no request counts as this one sent again.
    body_hash: createHash('sha256').update(`resale ${id}`).digest('base64url'),
    now: deps.clock.now(),
  });
  const trail = [receivedEntry(plan.version, made.created_at, { origin: origin._id })];
  return { lead: { ...made, trail } };
}

/** Of several sales: of one it makes no difference. */
async function isOwedOnce(origin: Lead, plan: Plan, { plans }: ResaleDeps): Promise<boolean> {
  if (origin.sales.length < 2 || !replacesSale(origin, plan)) return false;
  const id = planId(origin.campaign_id, origin.plan_version);
  return owesOnce((await plans.get([id])).get(id), origin);
}

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

/** False: this order, or another for the same data, was first. */
async function isInserted(lead: Lead, { collections }: ResaleDeps): Promise<boolean> {
  try {
    await collections.leads.insertOne(lead);
    return true;
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw error;
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
