/** Sold leads, their outcomes and their events: consistent until a test breaks something. */
import type { Lead } from '../../../src/leads/rules/lead.js';
import type { LeadEventType } from '../../../src/events/rules/events.js';
import type { BuyerOutcome } from '../../../src/leads/rules/saleChange.js';
import type { EventDeliveryDoc } from '../../../src/automations/store/automationDocs.js';
import type { ChangeDoc } from '../../../src/outcomes/store/outcomeDocs.js';
import type { LeadEvent } from '../../../src/events/store/eventDocs.js';
import type {
  AutomationFacts,
  OutcomeAsked,
  OutcomeTold,
  ReceivedLine,
} from '../afterSale/evidence.js';
import { sold, type Sold } from './endings.js';
import type { StoryRun } from './stories.js';

export interface SaidStory {
  asked: OutcomeAsked;
  told: OutcomeTold;
  doc: ChangeDoc;
}

export interface ToldEvent {
  event: LeadEvent;
  delivery: EventDeliveryDoc;
  line: ReceivedLine;
}

const MICROS = 1_000_000;
/** Between two outcome requests, in milliseconds. */
const APART_MS = 1_000;

/** A buyer reports an outcome under a key of its own, it is acknowledged, and it is on record. */
export function said(
  { evidence }: StoryRun,
  { lead, row }: Sold,
  outcome: BuyerOutcome,
  revenue: number | null = null,
): SaidStory {
  const { history, after } = evidence;
  const op = after.outcomes.length + 1;
  const seq = (lead.outcome_seq ?? 0) + 1;
  const key = `key-${op}`;
  const at = Number(lead.created_at) + 10_000 + op * APART_MS;
  const { buyer_id } = row;
  const of = { lead_id: lead._id, buyer_id };
  const asked: OutcomeAsked = { kind: 'outcome_asked', at, op, ...of, key, outcome, revenue };
  const told: OutcomeTold = {
    kind: 'outcome_told',
    at: at + 50,
    op,
    result: 'ok',
    answer: 'made',
    status: 200,
    replayed: false,
    outcome,
  };
  history.push(asked, told);
  const conversion = revenue === null ? {} : { conversion_revenue: revenue * MICROS };
  const doc: ChangeDoc = {
    _id: `${buyer_id}:${op}`,
    org_id: lead.org_id,
    campaign_id: lead.campaign_id,
    ...of,
    by: { kind: 'buyer' },
    ask: { kind: 'outcome', outcome, note: key, ...conversion },
    body_hash: key,
    received_at: new Date(at + 10),
    state: 'made',
    seq,
  };
  after.outcomes.push(doc);
  change(lead, doc, key);
  return { asked, told, doc };
}

function change(
  lead: Lead,
  { ask, seq = 0, buyer_id, received_at }: ChangeDoc,
  note: string,
): void {
  if (ask.kind !== 'outcome') return;
  const { outcome, conversion_revenue } = ask;
  const sale = lead.sales.find((one) => one.buyer_id === buyer_id);
  if (!sale || outcome === undefined) return;
  Object.assign(sale, { outcome, note, ...(conversion_revenue && { conversion_revenue }) });
  if (outcome === 'converted') sale.revenue = sale.conversion_revenue ?? sale.price;
  else delete sale.revenue;
  const price = lead.sales.reduce((sum, one) => sum + (one.revenue ?? one.price), 0);
  Object.assign(lead, { outcome, outcome_seq: seq, price, profit: price - lead.cost });
  const step = { step: 'outcome', result: outcome, buyer_id } as const;
  lead.trail.push({ at: received_at, ...step, detail: { seq } });
}

/** The receiver gets events of these kinds from now on. */
export function listens({ evidence }: StoryRun, ...triggers: AutomationFacts['trigger'][]): void {
  for (const trigger of triggers)
    evidence.after.automations.push({ automation_id: `on-${trigger}`, campaign_id: 'c1', trigger });
}

/** The next event of a lead, delivered and received. */
export function happened(
  { evidence }: StoryRun,
  lead: Lead,
  type: LeadEventType,
  outcome: BuyerOutcome | null = null,
): ToldEvent {
  const { events, eventDeliveries, received } = evidence.after;
  const n = (lead.event_seq ?? 0) + 1;
  lead.event_seq = n;
  const created_at = new Date(Number(lead.created_at) + n * APART_MS);
  const { _id: lead_id, org_id, campaign_id, supplier_id, is_test } = lead;
  const event: LeadEvent = {
    _id: `evt_${lead_id}_${n}`,
    org_id,
    type,
    created_at,
    data: {
      lead_id,
      n,
      campaign_id,
      supplier_id,
      is_test,
      status: 'ACCEPTED',
      outcome,
      buyer_id: lead.buyer_id,
      price: 10,
      revenue: 10,
      cost: 4,
    },
  };
  const { _id: event_id } = event;
  const automation_id = `on-${type}`;
  const delivery: EventDeliveryDoc = {
    _id: `${automation_id}:${event_id}`,
    org_id,
    automation_id,
    event_id,
    type,
    lead_id,
    ord: n,
    state: 'delivered',
    attempts: 1,
    due_at: created_at,
    give_up_at: created_at,
    created_at,
  };
  const at = Number(created_at) + 100;
  const arrived = { automation_id, event_id, type, lead_id, status: 200, cut: false };
  const line: ReceivedLine = { at, ...arrived, body: event_id };
  events.push(event);
  eventDeliveries.push(delivery);
  received.push(line);
  return { event, delivery, line };
}

/** Sold, and two outcomes, with all events delivered. */
export function soldAndTold(run: StoryRun) {
  listens(run, 'lead.created', 'lead.accepted', 'lead.outcome');
  const story = sold(run);
  const { lead } = story;
  const created = happened(run, lead, 'lead.created');
  const accepted = happened(run, lead, 'lead.accepted');
  said(run, story, 'pending');
  const first = happened(run, lead, 'lead.outcome', 'pending');
  said(run, story, 'converted', 50);
  const second = happened(run, lead, 'lead.outcome', 'converted');
  return { lead, created, accepted, first, second };
}
