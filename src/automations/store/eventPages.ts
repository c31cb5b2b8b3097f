/** Events of an organization and their deliveries, in pages. */
import type { Collection, Filter } from 'mongodb';
import { EVENT_TYPES, type EventType } from '../../events/rules/events.js';
import { EVENT_DELIVERY_STATES, type EventDeliveryDoc } from './automationDocs.js';
import { index, type IndexRow } from '../../platform/mongo/indexRow.js';
import type { EventDoc } from '../../events/store/eventDocs.js';
import {
  findPage,
  NEWEST_FIRST,
  type Found,
  type Order,
  type Wanted,
} from '../../platform/mongo/pages.js';

export interface EventsAsked {
  org_id: string;
  type?: EventType;
  lead_id?: string;
  /** ISO 8601: recorded at this time or later, in that order; otherwise by when they happened, newest first. */
  since?: string;
}

/** A caller that follows this order misses no event that was written late. */
const AS_RECORDED: Order = { at: 'recorded_at', id: '_id', direction: 1 };

export function findEvents(
  events: Collection<EventDoc>,
  { org_id, type, lead_id, since }: EventsAsked,
  wanted: Wanted,
): Promise<Found<EventDoc>> {
  const filter = {
    org_id,
    // One lead has few events; for all leads, every type is in the bounds of the index.
    type: type ?? (lead_id === undefined ? { $in: [...EVENT_TYPES] } : undefined),
    'data.lead_id': lead_id,
    recorded_at: since === undefined ? undefined : { $gte: new Date(since) },
  } as Filter<EventDoc>;
  return findPage(events, filter, since === undefined ? NEWEST_FIRST : AS_RECORDED, wanted);
}

export interface EventDeliveriesAsked {
  org_id: string;
  automation_id?: string;
  event_id?: string;
  state?: EventDeliveryDoc['state'];
}

export function findEventDeliveries(
  deliveries: Collection<EventDeliveryDoc>,
  { org_id, automation_id, event_id, state }: EventDeliveriesAsked,
  wanted: Wanted,
): Promise<Found<EventDeliveryDoc>> {
  const filter = {
    org_id,
    state: state ?? { $in: [...EVENT_DELIVERY_STATES] },
    automation_id,
    event_id,
  };
  return findPage(deliveries, filter, NEWEST_FIRST, wanted);
}

/** Every state or type is in the bounds of these, so that each list is in order by its index. */
export const EVENT_PAGE_INDEXES: readonly IndexRow[] = [
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
