/** A lead that two runs both hold: the later one has acquired it, and the earlier one does not know yet. */
import { sealedBefore } from '../support/sealedBefore.js';
import { randomUUID } from 'node:crypto';
import type { Lease } from '../../src/distribution/task.js';
import type { Lead } from '../../src/leads/rules/lead.js';
import type { Plan } from '../../src/account/rules/plan.js';
import type { OutboundHttp } from '../../src/platform/outbound/http.js';
import type { DeliveryDoc } from '../../src/deliveries/store/deliveryDoc.js';
import { aBuyer, aPlan, aSupplier, aWebhook } from '../support/builders.js';
import { aLead, aRow } from '../support/storedRows.js';
import type { TestDatabase } from '../support/database.js';
import { SECRET } from './screeningDeps.js';

/** How long a run holds its leads, in milliseconds. */
export const LEASE_MS = 10_000;
const HOUR_MS = 3_600_000;

export const aLease = (id: string): Lease => ({ id, validUntilMs: performance.now() + LEASE_MS });
/** Buyers that all give this answer. */
export const answers =
  (status: number, asked: string[] = []): OutboundHttp['send'] =>
  ({ url }) => {
    asked.push(url);
    return Promise.resolve({ kind: 'answered', status, headers: {}, body: '' });
  };

/** Two buyers, and a lead that the second run acquired after the first buyer did not accept it. */
export async function leadWithTwoLeases(database: TestDatabase, lead: Partial<Lead> = {}) {
  const signing_secret = sealedBefore(SECRET, 'secret');
  const [first, next] = ['first', 'next'].map((buyer_id, n) =>
    aBuyer({
      buyer_id,
      price: 10,
      priority: n + 1,
      signing_secret,
      delivery: aWebhook({ url: buyer_id }),
    }),
  ) as [Plan['buyers'][number], Plan['buyers'][number]];
  const plan = aPlan({
    campaign_id: randomUUID(),
    buyers: [first, next],
    suppliers: { s1: aSupplier() },
  });
  plan._id = `${plan.campaign_id}:${plan.version}`;
  const stored = aLead({
    campaign_id: plan.campaign_id,
    supplier_id: 's1',
    run: 'second',
    takes: 2,
    lease_until: new Date(Date.now() + LEASE_MS),
    ...lead,
  });
  const { collections } = database;
  await collections.plans.insertOne(plan);
  await collections.campaigns.updateOne(
    { _id: plan.campaign_id },
    { $set: { plan_version: plan.version, name: plan.campaign_id } },
    { upsert: true },
  );
  await collections.leads.insertOne(stored);
  const rowOf = (overrides: Partial<DeliveryDoc>): DeliveryDoc =>
    aRow({
      lead_id: stored._id,
      campaign_id: plan.campaign_id,
      supplier_id: 's1',
      run: 'first',
      created_at: new Date(),
      expires_at: new Date(Date.now() + HOUR_MS),
      ...overrides,
    });
  const rows = () => collections.deliveries.find({ lead_id: stored._id }).sort({ n: 1 }).toArray();
  return { first, next, plan, lead: stored, rowOf, rows, collections };
}
