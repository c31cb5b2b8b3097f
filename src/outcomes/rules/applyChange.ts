/** One change of a sold lead: its state afterwards, and the trail entry. No I/O, no clock. */
import type { Sale } from '../../leads/rules/lead.js';
import type { TrailEntry, TrailResults } from '../../leads/rules/trail.js';
import type {
  ChangeAnswer,
  ChangeAsk,
  ChangeAuthor,
  OutcomeAsk,
  ReportedKey,
} from '../../leads/rules/saleChange.js';
import {
  isConverted,
  moneyOf,
  passOnCost,
  revenueNow,
  revenueOf,
} from '../../leads/rules/saleMoney.js';
import { shownStatus } from '../../leads/rules/shownStatus.js';
import { definedOnly, withoutKeys } from '../../lib/defined.js';
import type { ChangedLead, ChangeEvent } from '../../leads/rules/changedLead.js';

export interface AskedChange {
  buyer_id: string;
  by: ChangeAuthor;
  ask: ChangeAsk;
  /** When it was received. */
  at: Date;
  /** The supplier's cost is one for all sales of the lead; absent: each has a cost. */
  owesOnce?: boolean;
}

export interface Applied<L extends ChangedLead> {
  lead: L;
  /** Null: the lead was in that state already, and nothing is written. */
  entry: TrailEntry | null;
  answer: ChangeAnswer;
}

/** Null when the buyer does not have the lead. */
export function applyChange<L extends ChangedLead>(
  lead: L,
  change: AskedChange,
): Applied<L> | null {
  const before = lead.sales.find(({ buyer_id }) => buyer_id === change.buyer_id);
  if (!before) return null;
  const step = computeStep(before, change);
  if (!step) return { lead, entry: null, answer: answerOf(lead, before, change.at) };
  const requested: Sale = { ...withoutKeys(before, step.unset ?? []), ...step.set };
  const sale = withRevenue(requested, revenueNow(requested, lead.is_test));
  const seq = (lead.outcome_seq ?? 0) + 1;
  const changed = lead.sales.map((one) => (one === before ? sale : one));
  const sales = change.owesOnce ? passOnCost(changed, before, sale) : changed;
  const next: L = {
    ...lead,
    sales,
    ...moneyOf(sales),
    outcome_seq: seq,
    ...outcomeOfLead(lead, sales, change, step),
    converted_at: convertedAt(sales),
    outcome_due: firstWindowEnd(sales, lead),
  };
  const { buyer_id, by, at } = change;
  const entry: TrailEntry = {
    at,
    step: 'outcome',
    result: step.result,
    buyer_id,
    reason: step.reason,
    detail: {
      by,
      from: before.outcome ?? null,
      to: sale.outcome ?? null,
      revenue: { from: revenueOf(before), to: revenueOf(sale) },
      seq,
    },
  };
  return { lead: next, entry, answer: answerOf(next, sale, at) };
}

/** The outcome of the lead as a whole, where the change of a sale changes it. */
function outcomeOfLead(
  lead: ChangedLead,
  sales: readonly Sale[],
  { ask, at }: AskedChange,
  { set, result }: Step,
): Pick<ChangedLead, 'outcome' | 'outcome_at'> {
  if (result === 'cleared') return latestOutcome(sales);
  // The end of the window is not a buyer's report: it becomes the lead's outcome only where there is none.
  const outcome = ask.kind === 'window' && lead.outcome ? undefined : set.outcome;
  return outcome === undefined ? {} : { outcome, outcome_at: at };
}

/** The last outcome that is still reported for one of them. */
function latestOutcome(sales: readonly Sale[]): Pick<ChangedLead, 'outcome' | 'outcome_at'> {
  const latest = sales
    .filter(({ outcome }) => outcome !== undefined)
    .toSorted((a, b) => Number(a.outcome_at) - Number(b.outcome_at))
    .at(-1);
  return { outcome: latest?.outcome, outcome_at: latest?.outcome_at };
}

/** No outcome of the sale was reported. */
export const isUnreported = ({ outcome, returned }: Sale): boolean =>
  outcome === undefined && returned === undefined;

/** When the conversion window of the sale ends; undefined: never. */
export const windowEnd = (
  sale: Pick<Sale, 'outcome_due'>,
  lead: Pick<ChangedLead, 'outcome_due'>,
): Date | undefined => sale.outcome_due ?? lead.outcome_due;

/** The end of the first window that is still open; undefined: none is, or it has no end. */
export function firstWindowEnd(
  sales: readonly Sale[],
  lead: Pick<ChangedLead, 'outcome_due'>,
): Date | undefined {
  const ends = sales.filter(isUnreported).flatMap((sale) => windowEnd(sale, lead) ?? []);
  return ends.length === 0 ? undefined : new Date(Math.min(...ends.map(Number)));
}

interface Step {
  result: TrailResults['outcome'];
  /** A code; free text is not repeated in the trail. */
  reason?: string;
  set: Partial<Sale>;
  /** What the sale has no longer. */
  unset?: readonly (ReportedKey | 'outcome_at')[];
}

/** The requested change of the sale; null when there is nothing to change. */
function computeStep(sale: Sale, { ask, at }: AskedChange): Step | null {
  switch (ask.kind) {
    case 'outcome':
      return reportStep(sale, ask, at);
    case 'return': {
      if (sale.returned) return null;
      const { return_id, reason, reverse_cost: cost_reversed } = ask;
      return { result: 'returned', reason, set: { returned: { at, return_id, cost_reversed } } };
    }
    case 'window':
      if (!isUnreported(sale)) return null;
      return { result: 'expired', set: { outcome: 'expired', outcome_at: at } };
  }
}

function reportStep(sale: Sale, ask: OutcomeAsk, at: Date): Step {
  const { outcome, conversion_revenue, lead_value, note, clear = [] } = ask;
  // A repeated outcome keeps the time of its first report.
  const outcome_at = outcome === undefined || outcome === sale.outcome ? undefined : at;
  const isCleared = outcome === undefined && clear.includes('outcome');
  return {
    result: outcome ?? (isCleared && sale.outcome !== undefined ? 'cleared' : 'updated'),
    set: definedOnly({ outcome, outcome_at, conversion_revenue, lead_value, note }),
    unset: isCleared ? [...clear, 'outcome_at'] : clear,
  };
}

/** Stored only where it differs from the price. */
function withRevenue({ revenue: _before, ...sale }: Sale, revenue: number): Sale {
  return revenue === sale.price ? sale : { ...sale, revenue };
}

function convertedAt(sales: readonly Sale[]): Date | undefined {
  const times = sales.filter(isConverted).map(({ outcome_at }) => Number(outcome_at));
  return times.length === 0 ? undefined : new Date(Math.min(...times));
}

const answerOf = (lead: ChangedLead, sale: Sale, updated_at: Date): ChangeAnswer => ({
  lead_id: lead._id,
  status: shownStatus(lead),
  outcome: sale.outcome ?? null,
  conversion_revenue: sale.conversion_revenue ?? null,
  lead_value: sale.lead_value ?? null,
  note: sale.note ?? null,
  updated_at,
});

/** The event of an applied change. @param lead as it is afterwards */
export function changeEvent(
  lead: ChangedLead,
  { buyer_id, ask, at }: { buyer_id: string; ask: ChangeAsk; at: Date },
): ChangeEvent {
  const sale = lead.sales.find((one) => one.buyer_id === buyer_id);
  return {
    type: ask.kind === 'return' ? 'lead.returned' : 'lead.outcome',
    at,
    data: {
      status: shownStatus(lead) as ChangeEvent['data']['status'],
      outcome: sale?.outcome ?? null,
      buyer_id,
      price: sale?.price ?? 0,
      revenue: lead.price,
      cost: lead.cost,
    },
  };
}
