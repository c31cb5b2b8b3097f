/** An event of a made-up lead, to try an automation with. */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '../lib/clock.js';
import type { EventLead } from '../events/rules/leadData.js';
import type { AlertData, CapAlert } from '../events/rules/alertData.js';
import { isAlertEvent, isLeadEvent } from '../events/rules/events.js';
import { AppError } from '../lib/errors.js';
import type { EventDeliveryDoc } from './store/automationDocs.js';
import type { AutomationDoc } from '../account/store/automationDocs.js';
import type { EventCollections } from '../events/store/collections.js';
import type { AccountCollections } from '../account/store/collections.js';
import type { AutomationCollections } from './store/collections.js';
import type { AlertEvent, EventDoc } from '../events/store/eventDocs.js';
import { sampleFor } from '../account/campaigns/sample.js';
import { drawPerson } from '../fields/sampleLead.js';
import { newEventDelivery } from './fanOut.js';

export interface TestEventDeps {
  collections: AccountCollections & EventCollections & AutomationCollections;
  clock: Clock;
  wakeEndpoints: (automationIds: readonly string[], orgId: string) => void;
}

const WAIT_MS = 5_000;
const POLL_INTERVAL_MS = 50;
/** For an organization that has no campaign yet. */
const TEST_PERSON = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  phone: '+14155550134',
  email: 'ada@example.com',
};

/**
 * Sends it like every event, and waits at most 5 seconds for the result of the first attempt.
 * @throws {AppError} `action_refused` where the automation sends no messages, or is not active
 */
export async function sendTestEvent(
  deps: TestEventDeps,
  automation: AutomationDoc,
): Promise<EventDeliveryDoc> {
  const { collections, clock, wakeEndpoints } = deps;
  if (automation.action === 'REDISTRIBUTE')
    throw refused(
      'It redistributes leads, and a sample lead is not sold. Use send_test_lead to test a campaign.',
    );
  if (automation.status !== 'active')
    throw refused(`It is ${automation.status}: set status active with update_automation first.`);
  const event = await testEvent(deps, automation);
  const made = newEventDelivery({ ...event, lead_id: null, ord: 0 }, automation._id, clock.now());
  await collections.events.insertOne(event);
  await collections.eventDeliveries.insertOne(made);
  wakeEndpoints([automation._id], automation.org_id);
  const until = clock.monotonic() + WAIT_MS;
  let delivery: EventDeliveryDoc = made;
  while (clock.monotonic() < until && isOpen(delivery)) {
    await delay(POLL_INTERVAL_MS);
    delivery = (await collections.eventDeliveries.findOne({ _id: made._id })) ?? delivery;
  }
  return delivery;
}

/** The result of its first attempt is not known yet. */
const isOpen = ({ state, reason }: EventDeliveryDoc): boolean =>
  state === 'waiting' && reason === undefined;

const refused = (text: string): AppError => new AppError('action_refused', text);

async function testEvent(deps: TestEventDeps, automation: AutomationDoc): Promise<EventDoc> {
  const { trigger: type, org_id } = automation;
  const now = deps.clock.now();
  const base = { _id: `evt_test_${randomUUID()}`, org_id, created_at: now, recorded_at: now };
  if (isLeadEvent(type)) {
    const lead = await madeUpLead(deps, automation, now);
    const { _id: lead_id, campaign_id, supplier_id } = lead;
    const facts = { outcome: null, buyer_id: null, price: 0, revenue: 0, cost: 0 };
    const about = { lead_id, n: 1, campaign_id, supplier_id, is_test: true, lead };
    return { ...base, type, data: { ...about, status: STATUS[type], ...facts } };
  }
  if (isAlertEvent(type)) return { ...base, type, data: SAMPLE_ALERTS[type] } as AlertEvent;
  switch (type) {
    case 'ping.expired': {
      const data = { campaign_id: 'test', supplier_id: 'test', count: 1, ping_ids: ['test'] };
      return { ...base, type, data };
    }
    case 'automation.disabled': {
      const { _id: automation_id, name } = automation;
      return { ...base, type, data: { automation_id, name, reason: 'a test' } };
    }
    case 'buyer.paused':
    case 'buyer.resumed':
      return {
        ...base,
        type,
        data: { buyer_id: 'test', until: null, failures: 0, reason: 'a test' },
      };
  }
}

const OF_CAMPAIGN = { campaign_id: 'test', campaign_name: 'a test' };
const AT = '2026-01-01T00:00:00.000Z';
const SUPPLIER_ALERT = {
  ...OF_CAMPAIGN,
  supplier_id: 'test',
  supplier_name: 'a test',
  last_lead_at: AT,
  hours: 3,
};
const QUEUE_ALERT = { buyer_id: 'test', buyer_name: 'a test', since: AT };
const ACCEPTANCE_ALERT = {
  ...OF_CAMPAIGN,
  day: '2026-01-01',
  decided: 100,
  sold: 20,
  rate: 0.2,
  usual_rate: 0.5,
};
const CAP_ALERT: CapAlert = {
  ...OF_CAMPAIGN,
  buyer_id: 'test',
  buyer_name: 'a test',
  supplier_id: null,
  supplier_name: null,
  window: 'day',
  of: 'count',
  limit: 50,
  used: 40,
  resets_at: null,
};
const SAMPLE_ALERTS: AlertData = {
  'cap.nearly_full': CAP_ALERT,
  'supplier.silent': SUPPLIER_ALERT,
  'supplier.resumed': SUPPLIER_ALERT,
  'queue.stuck': { ...QUEUE_ALERT, reason: 'breaker' },
  'queue.cleared': { ...QUEUE_ALERT, reason: 'cleared' },
  'acceptance.dropped': ACCEPTANCE_ALERT,
  'acceptance.recovered': { ...ACCEPTANCE_ALERT, sold: 50, rate: 0.5 },
};

const STATUS = {
  'lead.created': 'NEW',
  'lead.accepted': 'ACCEPTED',
  'lead.rejected': 'REJECTED',
  'lead.unmatched': 'UNMATCHED',
  'lead.duplicate': 'DUPLICATE',
  'lead.expired': 'EXPIRED',
  'lead.outcome': 'converted',
  'lead.returned': 'RETURNED',
} as const;

/** A supplier's webhook gets only a campaign of that supplier. */
async function anyCampaign(
  { campaigns, campaignSuppliers }: AccountCollections,
  org_id: string,
  supplier_id: string | undefined,
): Promise<string | undefined> {
  if (supplier_id === undefined)
    return (await campaigns.findOne({ org_id, status: { $ne: 'ARCHIVED' } }))?._id;
  return (await campaignSuppliers.findOne({ org_id, supplier_id }))?.campaign_id;
}

/** It matches the mapping of the automation's campaign, or of any campaign of the organization. */
async function madeUpLead(
  { collections, clock }: TestEventDeps,
  { org_id, campaign_id, supplier_id }: AutomationDoc,
  created_at: Date,
): Promise<EventLead> {
  const campaign = campaign_id ?? (await anyCampaign(collections, org_id, supplier_id));
  const sample =
    campaign === undefined ? null : await sampleFor(campaign, org_id, { collections, clock });
  const fields = sample ? (await sample.lead(drawPerson(clock))).fields : { ...TEST_PERSON };
  return {
    _id: randomUUID(),
    org_id,
    campaign_id: campaign ?? 'test',
    supplier_id: supplier_id ?? 'test',
    is_test: true,
    fields,
    extra: {},
    created_at,
  };
}
