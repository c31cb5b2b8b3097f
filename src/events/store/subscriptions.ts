/** Which events have subscribers: an event without subscribers is not written. */
import type { Collection } from 'mongodb';
import {
  EVENT_TYPES,
  type EventType,
  NO_SUBSCRIPTIONS,
  type EventSubscriptions,
} from '../rules/events.js';

/** Which events of an organization have subscribers: only these are written with the change they report. */
export interface EventSubscriptionsDoc {
  /** The organization's id. */
  _id: string;
  /** The triggers of its active automations. */
  types: EventType[];
  /** Number of changes of `types`. */
  seq?: number;
  /** A reader follows events as they happen: until then all of them are written. */
  listening_until?: Date;
}

export const createSubscriptionStore = (
  wants: Collection<EventSubscriptionsDoc>,
  now: () => Date = () => new Date(),
) => ({
  /** For these organizations. One read of small documents. */
  async read(orgIds: readonly string[]): Promise<EventSubscriptions> {
    const docs = await wants.find({ _id: { $in: [...new Set(orgIds)] } }).toArray();
    return docs.length === 0 ? NO_SUBSCRIPTIONS : byType(docs, now());
  },
});

function byType(docs: readonly EventSubscriptionsDoc[], now: Date): EventSubscriptions {
  const orgs = new Map<EventType, string[]>();
  for (const { _id, types, listening_until: until } of docs) {
    const all = until !== undefined && until > now ? EVENT_TYPES : types;
    for (const type of new Set(all)) orgs.set(type, [...(orgs.get(type) ?? []), _id]);
  }
  return orgs;
}
