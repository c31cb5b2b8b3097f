/** Automations, their waiting deliveries and pending events, among many that are done. */
import type { EventType } from '../../../src/events/rules/events.js';
import type { LeadFacts } from '../../../src/events/rules/leadFacts.js';
import type { AutomationDoc } from '../../../src/account/store/automationDocs.js';
import type { Collections } from '../../../src/app/database.js';
import type { EventDeliveryDoc } from '../../../src/automations/store/automationDocs.js';
import { after, aLead, before, NOW } from '../../support/storedRows.js';

const HOUR = 3_600_000;
const TRIGGERS: EventType[] = ['lead.accepted', 'lead.created', 'lead.outcome', 'buyer.paused'];

const times = <T>(count: number, make: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => make(n));

export async function seedEvents(collections: Collections): Promise<void> {
  await Promise.all([
    collections.automations.insertMany(times(400, anAutomation)),
    collections.eventWants.insertMany(
      times(40, (n) => ({ _id: `org-${n}`, types: TRIGGERS.slice(0, n % 4) })),
    ),
    collections.leads.insertMany(
      times(40, (n) =>
        aLead({
          _id: `untold-${n}`,
          org_id: 'other',
          status: 'ACCEPTED',
          takes: 1,
          event_seq: 1,
          untold: [{ n: 1, type: 'lead.accepted', at: before(HOUR), data: FACTS }],
        }),
      ),
    ),
    // Ten automations have waiting deliveries, among many times as many delivered ones.
    collections.eventDeliveries.insertMany([
      ...times(2_000, (n) => aDelivery(n, { _id: `gone-${n}`, state: 'delivered' })),
      ...times(500, (n) => aDelivery(n, { _id: `waits-${n}`, due_at: before(HOUR + n * 1_000) })),
      ...times(500, (n) => aDelivery(n, { _id: `later-${n}`, due_at: after(HOUR + n * 1_000) })),
    ]),
  ]);
}

const FACTS: LeadFacts = {
  status: 'ACCEPTED',
  outcome: null,
  buyer_id: null,
  price: 0,
  revenue: 0,
  cost: 0,
};

const SEALED = { key_id: 'key', iv: '', tag: '', data: '' };

const anAutomation = (n: number): AutomationDoc => ({
  _id: `automation-${n}`,
  org_id: `org-${n % 20}`,
  name: `Automation ${n}`,
  trigger: TRIGGERS[n % 4] ?? 'lead.accepted',
  campaign_id: null,
  conditions: null,
  action: 'SLACK',
  target: { url: SEALED },
  secret: SEALED,
  created_at: NOW,
  status: n % 80 < 40 ? 'active' : n % 80 < 60 ? 'paused' : 'disabled',
  ...(n % 80 === 79
    ? { untold: { _id: `evt_automation-${n}_1`, at: before(HOUR), reason: 'gone' } }
    : {}),
});

const aDelivery = (n: number, rest: Partial<EventDeliveryDoc>): EventDeliveryDoc => ({
  _id: '',
  org_id: 'org-1',
  automation_id: `automation-${n % 10}`,
  event_id: `evt_${n}`,
  type: 'lead.outcome',
  lead_id: `lead-${n % 250}`,
  ord: Math.floor(n / 250) + 1,
  state: 'waiting',
  attempts: 0,
  due_at: before(HOUR),
  give_up_at: after(HOUR),
  // MongoDB deletes expired rows by its own clock.
  created_at: new Date(),
  ...rest,
});
