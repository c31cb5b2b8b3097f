/** Events of some hours, and the automations that they went to. */
import type { EventDeliveryDoc } from '../../../src/automations/store/automationDocs.js';
import type { AutomationDoc } from '../../../src/account/store/automationDocs.js';
import type { Collections } from '../../../src/app/database.js';
import type { EventDoc } from '../../../src/events/store/eventDocs.js';
import { NOW } from '../../support/storedRows.js';

const MINUTE = 60_000;
const TYPES = ['lead.created', 'lead.accepted', 'lead.outcome', 'lead.returned'] as const;
const STATES = ['delivered', 'delivered', 'delivered', 'waiting', 'parked'] as const;
const SEALED = { key_id: 'k', iv: '', tag: '', data: '' };

const times = <T>(count: number, make: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => make(n));

export async function seedEventPages(collections: Collections): Promise<void> {
  const agoOf = (n: number): Date => new Date(Number(NOW) - n * MINUTE);
  await collections.automations.insertMany(
    times(200, (n): AutomationDoc => ({
      _id: `teller-${n}`,
      org_id: n < 50 ? 'listener' : `org-${n % 20}`,
      name: `A ${n}`,
      trigger: TYPES[n % 4] ?? 'lead.created',
      campaign_id: null,
      conditions: null,
      action: 'EMAIL',
      target: { to: ['a@b.example'] },
      secret: SEALED,
      status: n % 3 === 0 ? 'paused' : 'active',
      created_at: agoOf(n),
    })),
  );
  await collections.events.insertMany(
    times(1_000, (n): EventDoc => ({
      _id: `evt_told-${n}_1`,
      org_id: n < 400 ? 'listener' : `org-${n % 20}`,
      type: TYPES[n % 4] ?? 'lead.created',
      created_at: agoOf(n),
      recorded_at: agoOf(n),
      data: {
        lead_id: `told-${n}`,
        n: 1,
        campaign_id: 'campaign',
        supplier_id: 'supplier',
        is_test: false,
        status: 'NEW',
        outcome: null,
        buyer_id: null,
        price: 0,
        revenue: 0,
        cost: 0,
      },
    })),
  );
  await collections.eventDeliveries.insertMany(
    times(1_000, (n): EventDeliveryDoc => ({
      _id: `teller-${n % 10}:evt_told-${n}_1`,
      automation_id: `teller-${n % 10}`,
      org_id: n < 400 ? 'listener' : `org-${n % 20}`,
      event_id: `evt_told-${n}_1`,
      type: TYPES[n % 4] ?? 'lead.created',
      lead_id: `told-${n}`,
      ord: 1,
      attempts: 1,
      state: STATES[n % 5] ?? 'waiting',
      due_at: agoOf(n),
      created_at: agoOf(n),
      give_up_at: agoOf(-1),
    })),
  );
}
