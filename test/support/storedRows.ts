import { randomUUID } from 'node:crypto';
import type { Lead } from '../../src/leads/rules/lead.js';
import type { DeliveryDoc } from '../../src/deliveries/store/deliveryDoc.js';

/** A fixed moment: callers pass the time to the stores. */
export const NOW = new Date('2026-11-21T12:00:00Z');
export const after = (ms: number): Date => new Date(Number(NOW) + ms);
export const before = (ms: number): Date => after(-ms);

/** A lead as the API stores it: new, not yet acquired, in time. */
export function aLead(overrides: Partial<Lead> = {}): Lead {
  const id = overrides._id ?? randomUUID();
  return {
    _id: id,
    org_id: 'org',
    campaign_id: 'campaign',
    supplier_id: 'supplier',
    plan_version: 1,
    status: 'NEW',
    is_test: false,
    seed: id,
    fields: {},
    extra: {},
    keys: [],
    body_hash: id,
    created_at: NOW,
    take_by: after(3_000),
    run: null,
    lease_until: null,
    takes: 0,
    buyer_id: null,
    sales: [],
    price: 0,
    cost: 0,
    profit: 0,
    trail: [],
    ...overrides,
  };
}

/** A row as a run inserts it: about to be sent by `run-1`. */
export function aRow(overrides: Partial<DeliveryDoc> = {}): DeliveryDoc {
  const leadId = overrides.lead_id ?? randomUUID();
  const n = overrides.n ?? 1;
  return {
    _id: `${leadId}:${n}`,
    lead_id: leadId,
    n,
    org_id: 'org',
    campaign_id: 'campaign',
    supplier_id: 'supplier',
    buyer_id: 'buyer',
    state: 'sending',
    run: 'run-1',
    send_by: after(1_000),
    answer_by: after(6_500),
    price: 10,
    cost: 4,
    reserved: null,
    tries: 1,
    expires_at: after(3_600_000),
    created_at: NOW,
    ...overrides,
  };
}
