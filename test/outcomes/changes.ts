/** Sold leads and changes of them, in a database without the service. */
import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { applyChanges } from '../../src/outcomes/applyChanges.js';
import type { Lead, Sale } from '../../src/leads/rules/lead.js';
import { moneyOf } from '../../src/leads/rules/saleMoney.js';
import { createPlanStore } from '../../src/account/store/plans.js';
import type { Collections } from '../../src/app/database.js';
import type { ChangeDoc } from '../../src/outcomes/store/outcomeDocs.js';
import { createOutcomeStore } from '../../src/outcomes/store/outcomes.js';
import { createSoldLeadStore } from '../../src/leads/store/soldLeads.js';
import { after, aLead, NOW } from '../support/storedRows.js';
import { waitFor } from '../support/waitFor.js';

export const aSale = (more: Partial<Sale> = {}): Sale => ({
  buyer_id: 'buyer',
  attempt: 1,
  price: 10e6,
  cost: 4e6,
  at: NOW,
  ...more,
});

export function aSoldLead(more: Partial<Lead> = {}): Lead {
  const sales = more.sales ?? [aSale()];
  return aLead({
    status: 'ACCEPTED',
    buyer_id: 'buyer',
    sales,
    ...moneyOf(sales),
    takes: 1,
    changes: 1,
    ...more,
  });
}

export const aChange = (lead_id: string, more: Partial<ChangeDoc> = {}): ChangeDoc => ({
  _id: randomUUID(),
  org_id: 'org',
  campaign_id: 'campaign',
  lead_id,
  buyer_id: 'buyer',
  by: { kind: 'buyer', id: 'buyer' },
  ask: { kind: 'outcome', outcome: 'pending' },
  body_hash: 'hash',
  received_at: NOW,
  state: 'open',
  ...more,
});

/** The n-th change of a series of outcomes: converted, not qualified, pending, and so on. */
export const nthChange = (lead_id: string, n: number): ChangeDoc =>
  aChange(lead_id, {
    ask: {
      kind: 'outcome',
      outcome: (['pending', 'converted', 'not_qualified'] as const)[n % 3],
      conversion_revenue: n * 1e6,
    },
    received_at: after(n),
  });

export const applyDeps = ({ outcomes, leads, plans }: Collections) => ({
  outcomes: createOutcomeStore(outcomes),
  soldLeads: createSoldLeadStore(leads),
  plans: createPlanStore(plans),
});

export const applyAll = (changes: readonly ChangeDoc[], collections: Collections) =>
  applyChanges(
    changes.map(({ _id: id, lead_id }) => ({ id, lead_id })),
    applyDeps(collections),
  );

/** Each change is on its lead once, numbered and on the trail without a gap, and its own document agrees. */
export async function expectExact(
  leadId: string,
  { leads, outcomes }: Collections,
): Promise<{ lead: Lead; changes: ChangeDoc[] }> {
  // The caller gets its answer when the change is marked; the note is removed after that.
  const isBare = { _id: leadId, 'applied.0': { $exists: false } };
  await waitFor(async () => (await leads.countDocuments(isBare)) === 1, {
    message: 'no note is left',
    timeoutMs: 2_000,
  });
  const lead = await leads.findOne({ _id: leadId });
  if (!lead) throw new Error('no lead');
  const changes = await outcomes.find({ lead_id: leadId }).sort({ seq: 1 }).toArray();
  const numbers = changes.map((_, n) => n + 1);
  expect(changes.map(({ state, seq }) => [state, seq])).toEqual(numbers.map((n) => ['made', n]));
  const told = lead.trail.filter(({ step }) => step === 'outcome');
  expect(told.map(({ detail }) => detail?.seq)).toEqual(numbers);
  expect(lead.outcome_seq ?? 0).toBe(changes.length);
  const { price, cost, profit } = lead;
  expect({ price, cost, profit }).toEqual(moneyOf(lead.sales));
  return { lead, changes };
}
