/** Evidence for the checker's own tests: whole stories of leads, consistent until a test breaks one. */
import { hasCaps } from '../../../src/account/rules/capLimits.js';
import type { Lead } from '../../../src/leads/rules/lead.js';
import type { CapDoc } from '../../../src/routing/store/capDocs.js';
import type { DeliveryDoc } from '../../../src/deliveries/store/deliveryDoc.js';
import { aLead, aRow } from '../../support/storedRows.js';
import type {
  BuyerDecision,
  BuyerLinkFacts,
  CampaignFacts,
  Completed,
  Evidence,
  Fault,
  Invoked,
  SupplierLinkFacts,
} from '../evidence/evidence.js';
import { nothingAfter } from '../afterSale/evidence.js';
import { check } from './check.js';

export const T0 = Date.parse('2026-11-21T12:00:00Z');
const KEYS = { day: '2026-11-21', week: 'W2026-11-16', month: '2026-11' };
const SECOND = 1_000;

/** One buyer of each kind, named after what it does when an answer is lost. */
export const BUYERS = ['asked_again', 'holding', 'failing_over', 'assuming'] as const;
export type BuyerName = (typeof BUYERS)[number];

const buyerFacts = (buyer_id: BuyerName): BuyerLinkFacts => ({
  buyer_id,
  name: buyer_id,
  honours_idempotency_key: buyer_id === 'asked_again',
  on_unknown:
    buyer_id === 'assuming'
      ? 'assume_accepted'
      : buyer_id === 'failing_over'
        ? 'fail_over'
        : 'hold',
  price: 10,
  names_price: false,
  hours: null,
  caps: {},
});

export const aSupplier = (overrides: Partial<SupplierLinkFacts> = {}): SupplierLinkFacts => ({
  supplier_id: 's1',
  cost_mode: 'FIXED',
  cost: 4,
  revenue_share: 0,
  caps: {},
  ...overrides,
});

export const aCampaign = (overrides: Partial<CampaignFacts> = {}): CampaignFacts => ({
  campaign_id: 'c1',
  name: 'Campaign 1',
  dedupe_fields: ['phone', 'email'],
  on_duplicate: 'REJECT',
  max_sells: 1,
  caps: {},
  buyers: BUYERS.map(buyerFacts),
  suppliers: [aSupplier()],
  ...overrides,
});

/** A run under construction. What it makes is stored in `evidence` and may be changed there. */
export interface StoryRun {
  evidence: Evidence;
  /** A supplier posts a lead; each time another person, under a key of its own. */
  asks(overrides?: Partial<Invoked>): Invoked;
  told(asked: Invoked, overrides: Partial<Completed>): Completed;
  /** The lead that an operation made. */
  lead(asked: Invoked, overrides?: Partial<Lead>): Lead;
  row(lead: Lead, buyer: BuyerName, overrides?: Partial<DeliveryDoc>): DeliveryDoc;
  /** A request reaches a buyer 100 ms after its row; returns its number. */
  request(
    row: DeliveryDoc,
    decision: BuyerDecision,
    ending?: 'answered' | 'cut' | null,
    laterMs?: number,
  ): number;
  fault(overrides: Partial<Fault>): Fault;
  /** Counts the rows into the cap counters, as the service does, and returns the evidence. */
  finish(): Evidence;
}

export function aRun(campaigns: CampaignFacts[] = [aCampaign()]): StoryRun {
  const record = { readAt: 0, leads: [], deliveries: [], caps: [], reconciled: {} };
  const after = nothingAfter();
  const evidence: Evidence = { seed: 'seed', campaigns, history: [], journal: [], record, after };
  let ops = 0;
  let requests = 0;
  const leads = new Map<string, Lead>();
  const rowsOf = new Map<string, number>();
  const run: StoryRun = {
    evidence,
    asks(overrides = {}) {
      const op = overrides.op ?? ++ops;
      const asked: Invoked = {
        kind: 'invoked',
        at: T0 + op * SECOND,
        op,
        intent: op,
        time: 1,
        campaign_id: 'c1',
        supplier_id: 's1',
        idempotency_key: `key-${overrides.intent ?? op}`,
        phone: `+1555${String(op).padStart(7, '0')}`,
        email: `person-${op}@example.com`,
        ...overrides,
      };
      evidence.history.push(asked);
      return asked;
    },
    told(asked, overrides) {
      const completed: Completed = {
        kind: 'completed',
        at: asked.at + 300,
        op: asked.op,
        outcome: 'ok',
        answer: null,
        status: 201,
        lead_id: null,
        buyer_id: null,
        duplicate_of: null,
        replayed: false,
        ...overrides,
      };
      evidence.history.push(completed);
      return completed;
    },
    lead(asked, overrides = {}) {
      const created_at = new Date(asked.at + 10);
      const lead = aLead({
        _id: `lead${asked.op}`,
        campaign_id: asked.campaign_id,
        supplier_id: asked.supplier_id,
        fields: { phone: asked.phone, email: asked.email },
        created_at,
        decided_at: new Date(asked.at + 250),
        trail: [{ at: created_at, step: 'received', result: 'valid' }],
        takes: 1,
        ...(asked.idempotency_key === null ? {} : { idempotency_id: asked.idempotency_key }),
        ...overrides,
      });
      evidence.record.leads.push(lead);
      leads.set(lead._id, lead);
      return lead;
    },
    row(lead, buyer_id, overrides = {}) {
      const n = (rowsOf.get(lead._id) ?? 0) + 1;
      rowsOf.set(lead._id, n);
      const at = lead.created_at.getTime() + n * 100;
      const row = aRow({
        lead_id: lead._id,
        n,
        campaign_id: lead.campaign_id,
        supplier_id: lead.supplier_id,
        buyer_id,
        price: 10,
        cost: 4,
        reserved: { ...KEYS },
        created_at: new Date(at),
        send_by: new Date(at + 1_000),
        answer_by: new Date(at + 6_500),
        settled_at: new Date(at + 150),
        expires_at: new Date(at + 3_600_000),
        ...overrides,
      });
      evidence.record.deliveries.push(row);
      return row;
    },
    request(row, decision, ending = 'answered', laterMs = 0) {
      const lead = leads.get(row.lead_id);
      const at = row.created_at.getTime() + 100 + laterMs;
      const { buyer_id, lead_id } = row;
      const line = {
        request: ++requests,
        buyer_id,
        lead_id,
        idempotency_key: `${lead_id}:${buyer_id}`,
        decision,
        email: String(lead?.fields.email),
      };
      evidence.journal.push({ ...line, at, step: 'decided' });
      if (ending) evidence.journal.push({ ...line, at: at + 20, step: ending });
      return line.request;
    },
    fault(overrides) {
      const fault: Fault = { kind: 'fault', at: T0, type: 'kill', targets: ['api'], ...overrides };
      evidence.history.push(fault);
      return fault;
    },
    finish() {
      evidence.record.readAt = T0 + 600 * SECOND;
      evidence.record.caps = countersOf(evidence);
      return evidence;
    },
  };
  return run;
}

function countersOf({ campaigns, record }: Evidence): CapDoc[] {
  const docs = new Map<string, CapDoc>();
  const add = (id: string, amount: number, leads = 1): void => {
    const none = { count: 0, amount: 0 };
    const doc: CapDoc = docs.get(id) ?? {
      _id: id,
      day: { key: KEYS.day, ...none },
      week: { key: KEYS.week, ...none },
      month: { key: KEYS.month, ...none },
      total: { key: 'all', ...none },
      held: [],
    };
    docs.set(id, doc);
    for (const window of [doc.day, doc.week, doc.month, doc.total]) {
      window.count += leads;
      window.amount += amount;
    }
  };
  for (const row of record.deliveries) {
    const campaign = campaigns.find(({ campaign_id }) => campaign_id === row.campaign_id);
    const counts = ['accepted', 'parked', 'unknown', 'sending'].includes(row.state);
    if (!campaign || !counts || row.reserved === null) continue;
    const leads = row.further ? 0 : 1;
    const supplier = campaign.suppliers.find((link) => link.supplier_id === row.supplier_id);
    add(`buyer:${row.campaign_id}:${row.buyer_id}`, row.price);
    if (supplier && hasCaps(supplier.caps)) {
      add(`supplier:${row.campaign_id}:${row.supplier_id}`, row.cost, leads);
    }
    if (hasCaps(campaign.caps)) add(`campaign:${row.campaign_id}`, row.price, leads);
  }
  return [...docs.values()];
}

/** The names of the rules that found a violation, each once. */
export const rulesOf = (evidence: Evidence): string[] => [
  ...new Set(check(evidence).map(({ rule }) => rule)),
];
