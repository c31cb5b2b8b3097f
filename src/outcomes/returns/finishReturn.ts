/** Finishes an accepted return: changes the sale, and sells the lead again where that is wanted. */
import { createHash } from 'node:crypto';
import type { Lead, Sale } from '../../leads/rules/lead.js';
import { isOpen } from '../../leads/rules/leadStatus.js';
import { rootOf, type Redistribute } from '../../leads/rules/resale.js';
import type { Clock } from '../../lib/clock.js';
import type { Micros } from '../../fields/money.js';
import type { SaleChanges } from '../types.js';
import type { LeadCollections } from '../../leads/store/collections.js';
import type { DeliveryStore } from '../../deliveries/store/deliveries.js';
import type { ReturnDoc } from '../store/returnDocs.js';
import type { ReturnStore } from '../store/returns.js';

export interface FinishDeps {
  collections: Pick<LeadCollections, 'leads'>;
  deliveries: Pick<DeliveryStore, 'ofLeads'>;
  returns: Pick<ReturnStore, 'made' | 'postpone'>;
  clock: Clock;
  changes: SaleChanges;
  redistribute: Redistribute;
}

/** A lead whose data are still being sold is checked again after this time, in milliseconds. */
const CHECK_AGAIN_MS = 600_000;

/**
 * Each step has the same effect when it is repeated, so a call after a crash completes the rest.
 * @returns the return as it is then; still owed where its lead is to be resold, and its data are still being sold
 * @throws {Error} when one of the steps cannot be done now
 */
export async function finishReturn(owed: ReturnDoc, deps: FinishDeps): Promise<ReturnDoc> {
  const { _id: id, org_id, campaign_id, lead_id, buyer_id, reason } = owed;
  await deps.changes.make({
    id,
    org_id,
    campaign_id,
    lead_id,
    buyer_id,
    body_hash: createHash('sha256').update(id).digest('base64url'),
    by: owed.resolved_by ?? { kind: 'system' },
    ask: { kind: 'return', return_id: id, reason, reverse_cost: await reversesCost(owed, deps) },
  });
  const lead = await deps.collections.leads.findOne({ _id: lead_id });
  if (!lead) throw new Error(`Lead ${lead_id} of return ${id} is not stored`);
  const facts = { change_id: id, reversed: findReversedRevenue(lead, buyer_id) };
  const resold = owed.resell ? await sellAgain(owed, lead, deps) : {};
  if (resold === 'busy') {
    const retry_at = new Date(Number(deps.clock.now()) + CHECK_AGAIN_MS);
    return (await deps.returns.postpone(id, { ...facts, retry_at })) ?? owed;
  }
  return (await deps.returns.made(id, { ...facts, ...resold })) ?? owed;
}

/**
 * Whether the supplier gets nothing for the sale any longer. It keeps the one cost of a lead while a buyer has that lead by
 * a sale that replaced another one: that sale costs nothing because of it.
 */
async function reversesCost(
  { reverse_cost = false, lead_id, buyer_id }: ReturnDoc,
  { collections: { leads } }: FinishDeps,
): Promise<boolean> {
  if (!reverse_cost) return false;
  const found = await leads.findOne({ _id: lead_id }, { projection: { sales: 1, resale: 1 } });
  const carries = found?.sales.find((sale) => sale.buyer_id === buyer_id)?.carries ?? 0;
  if (!found || carries === 0) return true;
  const free = await leads
    .find({ 'resale.root': rootOf(found), 'resale.origin': lead_id, 'resale.paid': true })
    .project<Pick<Lead, 'status' | 'sales'>>({ status: 1, sales: 1 })
    .toArray();
  const isHeld = ({ returned }: Sale): boolean => !returned?.cost_reversed;
  return !free.some(({ status, sales }) => isOpen(status) || sales.some(isHeld));
}

/** The revenue that the return reversed, from the trail; the agreed price where the trail has become too long. */
function findReversedRevenue({ sales, trail }: Lead, buyerId: string): Micros {
  const entry = trail.findLast(
    ({ step, result, buyer_id }) =>
      step === 'outcome' && result === 'returned' && buyer_id === buyerId,
  );
  const { from } = (entry?.detail?.revenue ?? {}) as { from?: unknown };
  const price = sales.find(({ buyer_id }) => buyer_id === buyerId)?.price ?? 0;
  return typeof from === 'number' ? from : price;
}

async function sellAgain(
  { _id: id, buyer_id: returned_by }: ReturnDoc,
  lead: Lead,
  { deliveries, redistribute }: FinishDeps,
): Promise<Pick<ReturnDoc, 'resale_lead_id' | 'resale_refused'> | 'busy'> {
  const rows = (await deliveries.ofLeads([lead._id])).get(lead._id) ?? [];
  // Buyers that may have the data are left out of every order; a buyer that refused the lead would refuse it again.
  const exclude = rows.filter(({ state }) => state === 'rejected').map((row) => row.buyer_id);
  const order = { id: `return ${id}`, lead, campaign_id: lead.campaign_id, exclude, returned_by };
  const answer = await redistribute(order);
  if ('busy' in answer) return 'busy';
  return 'refused' in answer
    ? { resale_refused: answer.refused }
    : { resale_lead_id: answer.lead_id };
}
