/** The indexes of automations, of events and of their deliveries. */
import { index, type IndexRow } from '../../platform/mongo/indexRow.js';

const KEPT_SECONDS = 30 * 86_400;
/** A delivery that arrived, or was dead-lettered, leaves the index. */
const WAITING = { partialFilterExpression: { state: 'waiting' } };

export const EVENT_INDEXES: readonly IndexRow[] = [
  index(
    'leads',
    { 'untold.at': 1 },
    'reconcile: leads with pending events in their outbox; other leads are not in it',
    { sparse: true },
  ),
  index(
    'automations',
    { org_id: 1, trigger: 1, status: 1 },
    'the automations that an event goes to',
  ),
  index(
    'automations',
    { 'untold.at': 1 },
    'reconcile: disabled automations whose event is not written yet',
    { sparse: true },
  ),
  index(
    'event_deliveries',
    { state: 1, automation_id: 1, due_at: 1 },
    'what is due to an automation, and when its next is; reconcile: the same of every automation',
    WAITING,
  ),
  index(
    'event_deliveries',
    { state: 1, automation_id: 1, lead_id: 1, ord: 1 },
    'what must go before the events of a lead',
    WAITING,
  ),
  index(
    'event_deliveries',
    { state: 1, org_id: 1 },
    'how many are dead-lettered, of one organization or of all; others are not in it',
    { partialFilterExpression: { state: 'parked' } },
  ),
  index(
    'event_deliveries',
    { created_at: 1 },
    'deleting deliveries with their events, after 30 days',
    { expireAfterSeconds: KEPT_SECONDS },
  ),
  // Lists: every state or type is in the bounds of these, so that each is in order by its index.
  index(
    'events',
    { org_id: 1, type: 1, created_at: -1, _id: -1 },
    "an organization's events, newest first; those of one type",
  ),
  index(
    'events',
    { org_id: 1, recorded_at: 1, _id: 1, type: 1 },
    'the same in the order of recording, for clients that follow them',
  ),
  index(
    'events',
    { 'data.lead_id': 1, created_at: -1, _id: -1 },
    'the events of one lead, newest first; other events have no place in it',
    { partialFilterExpression: { 'data.lead_id': { $exists: true } } },
  ),
  index(
    'event_deliveries',
    { org_id: 1, state: 1, created_at: -1, _id: -1 },
    "an organization's deliveries of events, newest first; those in one state",
  ),
  index(
    'event_deliveries',
    { automation_id: 1, state: 1, created_at: -1, _id: -1 },
    'the same of one automation; what is to be sent again since some time',
  ),
  index(
    'event_deliveries',
    { event_id: 1, state: 1, created_at: -1, _id: -1 },
    'the automations that an event went to',
  ),
];
