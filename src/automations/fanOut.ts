/** From an event to the automations that are notified of it. */
import type { Clock } from '../lib/clock.js';
import type { EventType } from '../events/rules/events.js';
import { matchesAutomation, type MatchableEvent } from './rules/matchesAutomation.js';
import type { AccountCollections } from '../account/store/collections.js';
import type { AutomationCollections } from './store/collections.js';
import type { EventDeliveryDoc } from './store/automationDocs.js';
import type { AutomationDoc } from '../account/store/automationDocs.js';
import { createAutomationStore } from './store/automations.js';
import { createEventDeliveryStore, giveUpAt } from './store/eventDeliveries.js';

/** The part of a stored event that decides which automations are notified. */
export interface FanOutEvent extends MatchableEvent {
  _id: string;
  org_id: string;
  type: EventType;
  created_at: Date;
  lead_id: string | null;
  /** Its position among the events of its lead; 0 without one. */
  ord: number;
}

export interface FanOutDeps {
  collections: Pick<
    AccountCollections & AutomationCollections,
    'automations' | 'orgs' | 'eventDeliveries'
  >;
  clock: Pick<Clock, 'now'>;
  /** Wakes the drains of these automations, which send what waits for them. It is not awaited. */
  wakeAutomations: (automationIds: readonly string[], orgId: string) => void;
}

/**
 * One delivery for each event and each automation that it matches. Their ids are made of both, so that repeating it, or
 * doing it twice at once, notifies no receiver twice. Two commands for any number of events; one more where conditions
 * must be checked.
 */
export async function fanOut(events: readonly FanOutEvent[], deps: FanOutDeps): Promise<void> {
  if (events.length === 0) return;
  const orgIds = [...new Set(events.map(({ org_id }) => org_id))];
  const types = [...new Set(events.map(({ type }) => type))];
  const automations = createAutomationStore(deps.collections.automations);
  const listeners = await automations.findSubscribed(orgIds, types);
  if (listeners.length === 0) return;
  const zones = await zonesOf(listeners, deps);
  const perOrg = Map.groupBy(listeners, ({ org_id }) => org_id);
  const now = deps.clock.now();
  const rows = events.flatMap((event) => {
    const context = { now, timeZone: zones.get(event.org_id) ?? 'UTC' };
    return (perOrg.get(event.org_id) ?? [])
      .filter((listener) => matchesAutomation(listener, event, context))
      .map((listener) => newEventDelivery(event, listener._id, now));
  });
  await createEventDeliveryStore(deps.collections.eventDeliveries).add(rows);
  for (const [orgId, some] of Map.groupBy(rows, ({ org_id }) => org_id))
    deps.wakeAutomations([...new Set(some.map(({ automation_id }) => automation_id))], orgId);
}

/** A delivery of an event to an automation. Its id is the same in every process. */
export const newEventDelivery = (
  event: Pick<FanOutEvent, '_id' | 'org_id' | 'type' | 'created_at' | 'lead_id' | 'ord'>,
  automation_id: string,
  now: Date,
): EventDeliveryDoc => ({
  _id: `${automation_id}:${event._id}`,
  org_id: event.org_id,
  automation_id,
  event_id: event._id,
  type: event.type,
  lead_id: event.lead_id,
  ord: event.ord,
  state: 'waiting',
  attempts: 0,
  due_at: event.created_at,
  created_at: event.created_at,
  give_up_at: giveUpAt(now),
});

/** Days in conditions are in the account's time zone. */
async function zonesOf(
  listeners: readonly AutomationDoc[],
  { collections }: Pick<FanOutDeps, 'collections'>,
): Promise<Map<string, string>> {
  const picky = listeners.filter(({ conditions }) => conditions !== null);
  if (picky.length === 0) return new Map();
  const _id = { $in: [...new Set(picky.map(({ org_id }) => org_id))] };
  const orgs = await collections.orgs.find({ _id }, { projection: { time_zone: 1 } }).toArray();
  return new Map(orgs.map(({ _id, time_zone }) => [_id, time_zone]));
}
