/** Which of the deliveries that are due may go now, so that events of a lead arrive in the order they happened. */
import { chooseEvent } from '../deliveries/rules/choice.js';
import type { EventDeliveryDoc } from './store/automationDocs.js';
import type { EventPlace } from './store/eventDeliveries.js';

/** Deliveries to send one after another: the next only when the previous one has arrived. */
export type Chain = EventDeliveryDoc[];

/** No event of its lead can come before it. */
export const isFirst = ({ ord }: Pick<EventDeliveryDoc, 'ord'>): boolean => ord <= 1;

interface ChosenEvents {
  /** In the order of their first deliveries in `due`. */
  chains: Chain[];
  /** They wait for an event of their lead that is not due itself. */
  later: Pick<EventDeliveryDoc, '_id' | 'due_at'>[];
}

/**
 * The oldest waiting deliveries of each lead, as far as they are due without a gap, are chains; events without a lead are
 * chains of one. Those behind a gap are due after it.
 * @param due the longest due first
 * @param waiting all that wait of those leads that have one that is not the first of its lead
 */
export function chooseEvents(
  due: readonly EventDeliveryDoc[],
  waiting: readonly EventPlace[],
): ChosenEvents {
  const isDue = new Map(due.map((row) => [row._id, row]));
  const ofLead = Map.groupBy(waiting, ({ lead_id }) => lead_id);
  const chosen: ChosenEvents = { chains: [], later: [] };
  for (const rows of Map.groupBy(due, ({ lead_id, _id }) => lead_id ?? _id).values()) {
    const chain: Chain = [];
    let ahead: EventPlace | undefined;
    for (const place of ofLead.get(rows[0]?.lead_id ?? null) ?? rows) {
      const row = isDue.get(place._id);
      if (!row) {
        ahead ??= place;
        continue;
      }
      const choice = chooseEvent(ahead);
      if (choice.kind === 'send') chain.push(row);
      if (choice.kind === 'later') chosen.later.push({ _id: row._id, due_at: choice.at });
    }
    if (chain.length > 0) chosen.chains.push(chain);
  }
  return chosen;
}

/** The least tried first, among equals the longest due: an event that its receiver cannot accept delays no other. */
export const selectLeastTried = (chains: readonly Chain[]): Chain[] =>
  chains.toSorted((a, b) => (a[0]?.attempts ?? 0) - (b[0]?.attempts ?? 0));
