/** The latest events of the installation, for its operators. */
import { EVENT_TYPES, type EventType } from '../../events/rules/events.js';
import type { EventCollections } from '../../events/store/collections.js';
import type { EventDoc } from '../../events/store/eventDocs.js';

export interface EventQuery {
  org?: string;
  type?: EventType;
  /** 1 or more. */
  limit: number;
}

/** The types that the list can be limited to. */
export const LISTED_TYPES: readonly EventType[] = EVENT_TYPES;

/** Newest first. */
export const listEvents = (
  { events }: Pick<EventCollections, 'events'>,
  { org: org_id, type, limit }: EventQuery,
): Promise<EventDoc[]> =>
  events.find({ org_id, type }).sort({ created_at: -1 }).limit(limit).toArray();
