/** Events of an organization and their deliveries, in pages. */
import type { Collection, Filter } from 'mongodb';
import { EVENT_TYPES, type EventType } from '../../events/rules/events.js';
import { EVENT_DELIVERY_STATES, type EventDeliveryDoc } from './automationDocs.js';
import type { EventDoc } from '../../events/store/eventDocs.js';
import {
  findPage,
  NEWEST_FIRST,
  type Found,
  type Order,
  type Wanted,
} from '../../platform/mongo/pages.js';

/** A caller that follows this order misses no event that was written late. */
const AS_RECORDED: Order = { at: 'recorded_at', id: '_id', direction: 1 };

/** @param only.since ISO 8601: recorded at this time or later, in that order; otherwise by when they happened, newest first */
export function findEvents(
  events: Collection<EventDoc>,
  only: { org_id: string; type?: EventType; lead_id?: string; since?: string },
  wanted: Wanted,
): Promise<Found<EventDoc>> {
  const { org_id, type, lead_id, since } = only;
  const filter = {
    org_id,
    // One lead has few events; for all leads, every type is in the bounds of the index.
    type: type ?? (lead_id === undefined ? { $in: [...EVENT_TYPES] } : undefined),
    'data.lead_id': lead_id,
    recorded_at: since === undefined ? undefined : { $gte: new Date(since) },
  } as Filter<EventDoc>;
  return findPage(events, filter, since === undefined ? NEWEST_FIRST : AS_RECORDED, wanted);
}

type OneDelivery = Pick<EventDeliveryDoc, 'automation_id' | 'event_id' | 'state'>;

export function findEventDeliveries(
  deliveries: Collection<EventDeliveryDoc>,
  { org_id, automation_id, event_id, ...only }: { org_id: string } & Partial<OneDelivery>,
  wanted: Wanted,
): Promise<Found<EventDeliveryDoc>> {
  const state = only.state ?? { $in: [...EVENT_DELIVERY_STATES] };
  return findPage(deliveries, { org_id, state, automation_id, event_id }, NEWEST_FIRST, wanted);
}
