/** Which of the deliveries that are due may go now, so that events of a lead arrive in the order they happened. */
import type { EventDeliveryDoc } from './store/automationDocs.js';
import type { EventPlace } from './store/eventDeliveries.js';

/** Deliveries to send one after another: the next only when the previous one has arrived. */
export type Chain = EventDeliveryDoc[];

/** No event of its lead can come before it. */
export const isFirst = ({ ord }: Pick<EventDeliveryDoc, 'ord'>): boolean => ord <= 1;

/**
 * The oldest waiting deliveries of each lead, as far as they are due without a gap; events without a lead are chains of
 * their own.
 * @param due the longest due first; the chains have the same order, by their first delivery
 * @param waiting all that wait of those leads that have one that is not the first of its lead
 */
export function chainsOf(
  due: readonly EventDeliveryDoc[],
  waiting: readonly EventPlace[],
): Chain[] {
  const isDue = new Map(due.map((row) => [row._id, row]));
  const ofLead = Map.groupBy(waiting, ({ lead_id }) => lead_id);
  return [...Map.groupBy(due, ({ lead_id, _id }) => lead_id ?? _id).values()].flatMap((rows) => {
    const [first] = rows;
    const all = first?.lead_id ? ofLead.get(first.lead_id) : undefined;
    if (!all) return [rows];
    const chain: Chain = [];
    for (const { _id } of all) {
      const row = isDue.get(_id);
      if (!row) break;
      chain.push(row);
    }
    return chain.length > 0 ? [chain] : [];
  });
}

/** The least tried first, among equals the longest due: an event that its receiver cannot accept delays no other. */
export const selectLeastTried = (chains: readonly Chain[]): Chain[] =>
  chains.toSorted((a, b) => (a[0]?.attempts ?? 0) - (b[0]?.attempts ?? 0));

/**
 * Due deliveries that wait for an event of their lead that is not due itself: they become due after it.
 * A delivery that is being sent now ends in a moment, and blocks none.
 */
export function findBlocked(
  due: readonly EventDeliveryDoc[],
  waiting: readonly EventPlace[],
): Pick<EventDeliveryDoc, '_id' | 'due_at'>[] {
  const isDue = new Set(due.map(({ _id }) => _id));
  return [...Map.groupBy(waiting, ({ lead_id }) => lead_id).values()].flatMap((all) => {
    const at = all.findIndex(({ _id }) => !isDue.has(_id));
    const first = all[at];
    if (!first || first.run !== undefined) return [];
    const later = all.slice(at + 1).filter(({ _id }) => isDue.has(_id));
    // Right after it: however many are due at the same moment, it is read before them.
    const due_at = new Date(Number(first.due_at) + 1);
    return later.map(({ _id }) => ({ _id, due_at }));
  });
}
