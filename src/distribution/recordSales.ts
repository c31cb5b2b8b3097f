/** Records the results of leads: sales with their money, and leads parked in the durable lane. */
import { saleEntry, waitingEntry } from '../routing/rules/distribute.js';
import { conversionTerms, owesOnce } from '../leads/rules/saleMoney.js';
import type { BuyerTerms, Plan } from '../account/rules/plan.js';
import { priceLead, termsPrice } from '../account/rules/pricing.js';
import type { Sold } from '../leads/store/leadUpdates.js';
import type { SellingDeps } from './deps.js';
import { commitReservations } from './capReservations.js';
import type { Answered, Lease, Task } from './task.js';

/** Records sales, once each. */
export async function recordSales(
  accepted: readonly Answered[],
  lease: Lease,
  deps: SellingDeps,
): Promise<void> {
  if (accepted.length === 0) return;
  const now = deps.clock.now();
  const sold: Sold[] = accepted.map(({ task, terms, row }) => {
    const { further = false } = row;
    const asFirst = {
      ...termsPrice(terms),
      price: row.price,
      supplier: task.supplier,
      is_test: task.lead.is_test,
      further: false,
    };
    const { price, cost, profit } = priceLead({ ...asFirst, further });
    // What the supplier is owed if the cost of all earlier sales was reversed meanwhile.
    const owed = further && owesOnce(task.plan, task.lead) ? priceLead(asFirst).cost : 0;
    return {
      leadId: task.lead._id,
      maxSells: task.plan.max_sells,
      profit,
      owed: owed > 0 ? owed : undefined,
      sale: {
        buyer_id: terms.buyer_id,
        attempt: row.n,
        price,
        cost,
        at: now,
        ...conversionTerms(terms),
        outcome_due: windowEnd(task.plan, now),
      },
      trail: [...task.trail, saleEntry(terms, now)],
    };
  });
  // A commit only removes reservations, so the two may run in parallel: a crash between them loses no count.
  const booked = accepted.map((one) =>
    namesPrice(one.terms) ? { ...one, booked: { price: one.row.price, cost: one.row.cost } } : one,
  );
  const sell = async (): Promise<void> => {
    await deps.leads.sell(sold, now, lease.subscriptions);
    for (const { sale } of sold)
      if (sale.outcome_due) deps.conversionWindows.stored(sale.outcome_due);
    clearTrails(accepted);
  };
  await Promise.all([sell(), commitReservations(booked, deps)]);
}

const DAY_MS = 86_400_000;

const windowEnd = ({ conversion_window_days: days }: Plan, at: Date): Date | undefined =>
  days == null ? undefined : new Date(Number(at) + days * DAY_MS);

/** Stored trail entries are not stored again with the next step. */
const clearTrails = (stored: readonly { task: Task }[]): void =>
  stored.forEach(({ task }) => (task.trail = []));

/** Parks leads whose rows are written in the durable lane, and wakes the buyers' drains. */
export async function parkLeads(
  waiting: readonly { task: Task; terms: BuyerTerms; reason: string }[],
  lease: Lease,
  now: Date,
  deps: Pick<SellingDeps, 'leads' | 'wake'>,
): Promise<void> {
  if (waiting.length === 0) return;
  const parked = waiting.map(({ task, terms, reason }) => ({
    leadId: task.lead._id,
    trail: [...task.trail, waitingEntry(terms, reason, now)],
  }));
  await deps.leads.park(lease.id, parked, now, lease.subscriptions);
  clearTrails(waiting);
  const byOrg = Map.groupBy(waiting, ({ task }) => task.lead.org_id);
  for (const [orgId, group] of byOrg)
    deps.wake([...new Set(group.map(({ terms }) => terms.buyer_id))], orgId);
}

/** A buyer whose answer names the price pays that price instead of its link's; but a bid is binding. */
export function withAnsweredPrice(answer: Answered): Answered {
  const { price } = answer.verdict;
  if (price === undefined || answer.terms.locked) return answer;
  const { task, further, row } = answer;
  const { cost } = priceLead({ price, supplier: task.supplier, is_test: false, further });
  return { ...answer, row: { ...row, price, cost } };
}

/** The price of the sale is known from the answer only; until then the link's price is counted. */
export const namesPrice = ({ delivery, locked }: BuyerTerms): boolean =>
  locked === undefined &&
  delivery.method === 'WEBHOOK' &&
  delivery.response?.price_path !== undefined;
