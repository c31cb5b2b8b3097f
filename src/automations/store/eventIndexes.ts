/** The indexes of automations and of their deliveries. */
import type { IndexRow } from '../../platform/mongo/indexRow.js';

const KEPT_SECONDS = 30 * 86_400;
/** A delivery that arrived, or was dead-lettered, leaves the index. */
const WAITING = { partialFilterExpression: { state: 'waiting' } };

export const EVENT_INDEXES: readonly IndexRow[] = [
  {
    collection: 'leads',
    key: { 'untold.at': 1 },
    options: { sparse: true },
    serves: 'reconcile: leads with pending events in their outbox; other leads are not in it',
  },
  {
    collection: 'automations',
    key: { org_id: 1, trigger: 1, status: 1 },
    serves: 'the automations that an event goes to',
  },
  {
    collection: 'automations',
    key: { 'untold.at': 1 },
    options: { sparse: true },
    serves: 'reconcile: disabled automations whose event is not written yet',
  },
  {
    collection: 'event_deliveries',
    key: { state: 1, automation_id: 1, due_at: 1 },
    options: WAITING,
    serves:
      'what is due to an automation, and when its next is; reconcile: the same of every automation',
  },
  {
    collection: 'event_deliveries',
    key: { state: 1, automation_id: 1, lead_id: 1, ord: 1 },
    options: WAITING,
    serves: 'what must go before the events of a lead',
  },
  {
    collection: 'event_deliveries',
    key: { created_at: 1 },
    options: { expireAfterSeconds: KEPT_SECONDS },
    serves: 'deleting deliveries with their events, after 30 days',
  },
];
