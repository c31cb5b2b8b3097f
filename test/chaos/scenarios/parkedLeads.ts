/** Many parked leads at once: copies of one that the service itself has parked, counted in its counters too. */
import { CAP_WINDOWS } from '../../../src/account/rules/capLimits.js';
import { createHash, randomUUID } from 'node:crypto';
import type { Lead } from '../../../src/leads/rules/lead.js';
import { buyerCap } from '../../../src/routing/store/caps.js';
import type { Collections } from '../../../src/app/database.js';
import type { DeliveryDoc } from '../../../src/deliveries/store/deliveryDoc.js';
import type { History } from '../evidence/historyFile.js';

export interface Placing {
  collections: Collections;
  history: Pick<History, 'append'>;
  campaignId: string;
  buyerId: string;
  count: number;
}

const BATCH_SIZE = 2_000;
/** Numbers of leads and requests that no supplier of a run reaches. */
const FIRST = 10_000_000;

/**
 * Stores them as the service would have, and records in the history that they were posted and answered `pending`.
 * @throws {Error} when no lead of the campaign is parked for the buyer
 */
export async function placeParked(placing: Placing): Promise<void> {
  const { collections, campaignId, buyerId, count } = placing;
  const { lead, row } = await findParked(placing);
  for (let from = 0; from < count; from += BATCH_SIZE) {
    const copies = Array.from({ length: Math.min(BATCH_SIZE, count - from) }, (_, index) =>
      copyOf(lead, row, from + index),
    );
    await collections.leads.insertMany(
      copies.map((copy) => copy.lead),
      { ordered: false },
    );
    await collections.deliveries.insertMany(
      copies.map((copy) => copy.row),
      { ordered: false },
    );
    copies.forEach((copy) => tell(copy.lead, placing.history));
    const amount = copies.length * row.price;
    const added = CAP_WINDOWS.flatMap(({ window }) => [
      [`${window}.count`, copies.length],
      [`${window}.amount`, amount],
    ]);
    await collections.caps.updateOne(
      { _id: buyerCap(campaignId, buyerId) },
      { $inc: Object.fromEntries(added) as Record<string, number> },
    );
  }
}

async function findParked({
  collections,
  campaignId,
  buyerId,
}: Placing): Promise<{ lead: Lead; row: DeliveryDoc }> {
  const rows = await collections.deliveries
    .find({ campaign_id: campaignId, buyer_id: buyerId, state: 'parked', tries: 0 })
    .toArray();
  const lead = await collections.leads.findOne({
    _id: { $in: rows.map(({ lead_id }) => lead_id) },
    status: 'PENDING',
    run: null,
    idempotency_id: { $exists: false },
  });
  const row = rows.find(({ lead_id }) => lead_id === lead?._id);
  if (!lead || !row) throw new Error('No lead is parked that others could be copied from');
  return { lead, row };
}

/** Older than its original by this many milliseconds, so that no two have the same age. */
function copyOf(lead: Lead, row: DeliveryDoc, index: number): { lead: Lead; row: DeliveryDoc } {
  const id = randomUUID();
  const number = FIRST + index;
  const phone = `+1999${String(number).padStart(7, '0').slice(-7)}`;
  const email = `placed.${number}@example.com`;
  const earlier = (at: Date): Date => new Date(at.getTime() - 1 - index);
  return {
    lead: {
      ...lead,
      _id: id,
      seed: id,
      fields: { ...lead.fields, phone, email, last_name: `Placed ${number}` },
      extra: { ...lead.extra, chaos_intent: number },
      keys: [`phone:${phone}`, `email:${email}`],
      body_hash: createHash('sha256').update(id).digest('base64url'),
      created_at: earlier(lead.created_at),
    },
    row: { ...row, _id: `${id}:${row.n}`, lead_id: id, created_at: earlier(row.created_at) },
  };
}

/** As if its supplier had posted it and received `pending`. */
function tell(lead: Lead, history: Placing['history']): void {
  const op = Number(lead.extra.chaos_intent);
  const at = lead.created_at.getTime();
  history.append({
    kind: 'invoked',
    at,
    op,
    intent: op,
    time: 1,
    idempotency_key: null,
    campaign_id: lead.campaign_id,
    supplier_id: lead.supplier_id,
    phone: String(lead.fields.phone),
    email: String(lead.fields.email),
  });
  history.append({
    kind: 'completed',
    at: at + 1,
    op,
    outcome: 'ok',
    answer: 'pending',
    status: 201,
    lead_id: lead._id,
    buyer_id: null,
    duplicate_of: null,
    replayed: false,
  });
}
