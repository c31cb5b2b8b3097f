/**
 * The leads that a buyer accepted: its side of the audit. A lead that came once costs one entry of a map, so a million
 * fit in some 100 MB.
 */

/** The buyers that a lead was delivered to, and how often. */
export type Deliveries = Record<string, number>;

/** A lead, and the buyers that should have it, each once. */
export type Expected = readonly [leadId: string, buyerIds: readonly string[]];

export interface TakenTotals {
  deliveries: number;
  leads: number;
  /** The number of leads that each buyer has. */
  byBuyer: Record<string, number>;
}

export interface Taken {
  /** @param idempotencyKey `lead:buyer`, the key of every delivery */
  take(leadId: string, idempotencyKey: string): void;
  /** The given leads that were delivered otherwise than expected, and how. */
  differing(expected: readonly Expected[]): [leadId: string, deliveries: Deliveries][];
  totals(): TakenTotals;
}

export function rememberTaken(): Taken {
  /** For a lead that came once, the number of its buyer. */
  const once = new Map<string, number>();
  const often = new Map<string, Map<number, number>>();
  const buyers: string[] = [];
  const leadsOf: number[] = [];
  let deliveries = 0;

  const numberOf = (buyerId: string): number => {
    const known = buyers.indexOf(buyerId);
    return known >= 0 ? known : buyers.push(buyerId) - 1;
  };
  const note = (leadId: string, buyer: number): void => {
    const more = often.get(leadId);
    const first = once.get(leadId);
    if (!more && first === undefined) {
      once.set(leadId, buyer);
      leadsOf[buyer] = (leadsOf[buyer] ?? 0) + 1;
      return;
    }
    const counts = more ?? new Map([[first ?? buyer, 1]]);
    once.delete(leadId);
    often.set(leadId, counts);
    if (!counts.has(buyer)) leadsOf[buyer] = (leadsOf[buyer] ?? 0) + 1;
    counts.set(buyer, (counts.get(buyer) ?? 0) + 1);
  };
  const deliveriesOf = (leadId: string): Deliveries => {
    const first = once.get(leadId);
    const counts = first === undefined ? (often.get(leadId) ?? []) : [[first, 1] as const];
    return Object.fromEntries([...counts].map(([buyer, count]) => [buyers[buyer] ?? '', count]));
  };
  return {
    take(leadId, idempotencyKey) {
      deliveries += 1;
      note(leadId, numberOf(idempotencyKey.slice(leadId.length + 1)));
    },
    differing: (expected) =>
      expected.flatMap(([leadId, buyerIds]): [string, Deliveries][] => {
        const found = deliveriesOf(leadId);
        return isOnceEach(found, buyerIds) ? [] : [[leadId, found]];
      }),
    totals: () => ({
      deliveries,
      leads: once.size + often.size,
      byBuyer: Object.fromEntries(buyers.map((id, n) => [id, leadsOf[n] ?? 0])),
    }),
  };
}

const isOnceEach = (found: Deliveries, buyerIds: readonly string[]): boolean =>
  Object.keys(found).length === buyerIds.length && buyerIds.every((id) => found[id] === 1);
