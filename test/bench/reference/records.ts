/** The records of attempts and of their lead's result. */
import type { TrailEntry } from '../../../src/leads/rules/trail.js';
import type { Plan } from '../../../src/account/rules/plan.js';
import { priceLead, type LeadMoney } from '../../../src/account/rules/pricing.js';
import { windowKeys } from '../../../src/fields/windowKeys.js';
import type { DeliveryDoc } from '../../../src/deliveries/store/deliveryDoc.js';
import { isDuplicateKey } from '../../../src/platform/mongo/databaseErrors.js';
import { aRow } from '../../support/storedRows.js';
import { termsOf, type Surroundings } from './surroundings.js';
import type { Attempt, Ending, KnownLead } from './way.js';

/** Inserted before the lead is sent: a repeated step finds the row. */
export async function openRow(
  { collections, plan }: Surroundings,
  lead: KnownLead,
  buyerId: string,
  n: number,
): Promise<void> {
  const row = rowOf(plan, lead, buyerId, n);
  await collections.deliveries.insertOne(row).catch((error: unknown) => {
    if (!isDuplicateKey(error)) throw error;
  });
}

export async function settleRow(
  { collections }: Surroundings,
  lead: KnownLead,
  attempt: Attempt,
): Promise<void> {
  const id = `${lead.id}:${attempt.n}`;
  await collections.deliveries.updateOne({ _id: id }, { $set: outcomeOf(attempt) });
}

/** Inserts the row together with its result. */
export async function insertSettledRow(
  { collections, plan }: Surroundings,
  lead: KnownLead,
  attempt: Attempt,
): Promise<void> {
  const row = rowOf(plan, lead, attempt.buyerId, attempt.n);
  await collections.deliveries.insertOne({ ...row, ...outcomeOf(attempt) });
}

/** The lead's final state, its sale and its trail. */
export async function finish(
  { collections, plan }: Surroundings,
  lead: KnownLead,
  { status, trail, attempts, duplicateOf }: Ending,
): Promise<void> {
  const at = new Date();
  const sale = attempts.find(({ verdict }) => verdict.result === 'accepted');
  const money = sale ? moneyOf(plan, lead, sale.buyerId) : undefined;
  await collections.leads.updateOne(
    { _id: lead.id },
    {
      $set: {
        status,
        decided_at: at,
        changes: 1,
        uncounted: true as const,
        ...(duplicateOf === undefined ? {} : { duplicate_of: duplicateOf }),
        ...(sale && money
          ? {
              buyer_id: sale.buyerId,
              ...money,
              sales: [{ buyer_id: sale.buyerId, attempt: sale.n, at, ...pricesOf(money) }],
            }
          : {}),
      },
      $push: { trail: { $each: [...trail, ...attempts.map(entryOf)].map(dated) } },
    },
  );
}

function rowOf(plan: Plan, lead: KnownLead, buyer_id: string, n: number): DeliveryDoc {
  const now = new Date();
  const { org_id, campaign_id } = plan;
  return aRow({
    lead_id: lead.id,
    n,
    org_id,
    campaign_id,
    supplier_id: lead.supplier_id,
    buyer_id,
    ...pricesOf(moneyOf(plan, lead, buyer_id)),
    reserved: windowKeys(now, plan.time_zone),
    send_by: now,
    answer_by: now,
    expires_at: now,
    created_at: now,
  });
}

function outcomeOf({ verdict, latencyMs }: Attempt): Partial<DeliveryDoc> {
  const { result, reason, http_status } = verdict;
  return {
    state: result === 'not_taken' ? 'failed' : result,
    reason,
    latency_ms: latencyMs,
    ...(http_status === undefined ? {} : { http_status }),
    settled_at: new Date(),
  };
}

function moneyOf(plan: Plan, { supplier_id }: KnownLead, buyerId: string): LeadMoney {
  const supplier = plan.suppliers[supplier_id];
  if (!supplier) throw new Error(`The plan has no supplier ${supplier_id}`);
  const { price } = termsOf(plan, buyerId);
  return priceLead({ price, supplier, is_test: false, further: false });
}

const pricesOf = ({ price, cost }: LeadMoney) => ({ price, cost });

const entryOf = ({ buyerId, n, askedAt, latencyMs, verdict }: Attempt): TrailEntry => ({
  at: new Date(),
  step: 'delivery',
  result: verdict.result,
  buyer_id: buyerId,
  reason: verdict.reason,
  detail: {
    attempt: n,
    asked_at: new Date(askedAt),
    latency_ms: latencyMs,
    http_status: verdict.http_status,
  },
});

/** Values that came through Temporal have their times as strings. */
const dated = (entry: TrailEntry): TrailEntry => ({ ...entry, at: new Date(entry.at) });
