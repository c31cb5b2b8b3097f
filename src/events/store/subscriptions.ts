/** Which events have subscribers: an event without subscribers is not written. */
import type { Collection } from 'mongodb';
import { EVENT_TYPES, type EventType, NO_SUBSCRIPTIONS } from '../rules/events.js';
import type { EventSubscriptions } from '../rules/events.js';
import type { EventSubscriptionsDoc } from './subscriptionsDoc.js';

export type SubscriptionStore = ReturnType<typeof createSubscriptionStore>;

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
