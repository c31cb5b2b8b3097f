/**
 * Roll-ups: reports are read from them. A lead adds its contribution to the sums of its day; when it changes, the
 * difference is added. Sums are kept in total, by buyer, by supplier, by state, for each combination of the three, by hour,
 * and by the reason why leads were not sold.
 */
import type { Lead } from '../../leads/rules/lead.js';
import { lossOf, type Loss, type LossReason, type LostLead } from '../../leads/rules/loss.js';
import type { LeadResale } from '../../leads/rules/leadResale.js';
import type { Micros } from '../../fields/money.js';
import { costOf, isConverted, revenueOf } from '../../leads/rules/saleMoney.js';
import { shownStatus } from '../../leads/rules/shownStatus.js';
import type { Contribution, CountedSale, CountedStatus } from '../../leads/rules/contribution.js';

const IS_SOLD: Record<CountedStatus, boolean> = {
  PENDING: false,
  UNMATCHED: false,
  DUPLICATE: false,
  REJECTED: false,
  EXPIRED: false,
  ACCEPTED: true,
  pending: true,
  converted: true,
  not_qualified: true,
  expired: true,
  RETURNED: true,
};
export const COUNTED_STATUSES = Object.keys(IS_SOLD) as readonly CountedStatus[];

/** Distribution has accepted it, whatever happened since: only a sold lead has an outcome. */
export const isSoldStatus = (status: CountedStatus): boolean => IS_SOLD[status];

/**
 * The dimension of a sum; `cell` is one supplier, state and buyer, `resold` the part of a supplier's leads that it has not
 * posted, `hour` a supplier's leads of one hour of the day, `clock` all leads of one; `reason` the leads that were not sold.
 */
export const FACETS = [
  ...(['all', 'buyer', 'supplier', 'state'] as const),
  ...(['cell', 'resold', 'reason', 'hour', 'clock'] as const),
];
export type Facet = (typeof FACETS)[number];

export interface Sums {
  /** In a `cell`, a lead sold to several counts with the first only, so that the cells add up to the total. */
  leads: number;
  sales: number;
  revenue: Micros;
  cost: Micros;
  /** The part of the revenue from sales that became customers. */
  conversion_revenue: Micros;
  /** Sales that became customers, that did not qualify, that were returned. No sale is two of these. */
  converted: number;
  not_qualified: number;
  returned: number;
  /**
   * Of `converted` those that are not the first of their lead: the rest is a number of leads. By buyer and in a `cell`,
   * where a lead has one sale, it is 0.
   */
  converted_again: number;
}

/** Sums from before there were outcomes do not have all fields. */
type StoredSums = Partial<Sums>;

const NO_SUMS: Sums = {
  leads: 0,
  sales: 0,
  revenue: 0,
  cost: 0,
  conversion_revenue: 0,
  converted: 0,
  not_qualified: 0,
  returned: 0,
  converted_again: 0,
};

export const SUM_NAMES = Object.keys(NO_SUMS) as readonly (keyof Sums)[];

/** What most reports show of the sums: those of outcomes are left unread. */
export const LINE_NAMES = [
  'leads',
  'sales',
  'revenue',
  'cost',
] as const satisfies readonly (keyof Sums)[];
export type LineSums = Pick<Sums, (typeof LINE_NAMES)[number]>;

/** Sums made of one number for each. */
function eachSum(of: (name: keyof Sums) => number): Sums {
  const sums = { ...NO_SUMS };
  for (const name of SUM_NAMES) sums[name] = of(name);
  return sums;
}

/** The key of one sum. Absent: all, or those that have none. */
export interface Place {
  facet: Facet;
  buyer_id?: string;
  supplier_id?: string;
  state?: string;
  /** Of the account's clock, 0 to 23; only in `hour` and `clock`. */
  hour?: number;
  /** In `reason`, with what it is about: a field, or a buyer. */
  reason?: LossReason;
  of?: string;
}

export interface Row extends Place {
  by_status: Partial<Record<CountedStatus, Sums>>;
}

/** A place among those of one day and campaign. Two places have two keys. */
export function placeKey(place: Place): string {
  const { facet, buyer_id, supplier_id, state, reason, of, hour } = place;
  const key = [facet, buyer_id ?? null, supplier_id ?? null, state ?? null];
  if (hour !== undefined) return JSON.stringify([...key, hour]);
  return JSON.stringify(reason === undefined ? key : [...key, reason, of ?? null]);
}

/** Longer values of a free text are distinguished by their beginning. */
const STATE_LENGTH = 64;

type Counted = Pick<Lead, 'is_test' | 'status' | 'sales' | 'outcome'> &
  LostLead & {
    resale?: Pick<LeadResale, 'origin'>;
  };

/**
 * The lead's contribution; null for a test lead, a NEW one, and a withdrawn one.
 * @param hour in which it was received, of the account's clock
 */
export function contributionOf(lead: Counted, hour: number): Contribution | null {
  const { status, is_test, sales } = lead;
  if (is_test || status === 'NEW' || status === 'WITHDRAWN') return null;
  const again = sales.filter(isConverted).length - 1;
  return {
    // The check above excludes every status that is not counted.
    status: shownStatus(lead) as CountedStatus,
    sales: sales.map((sale) => ({
      buyer_id: sale.buyer_id,
      price: revenueOf(sale),
      cost: costOf(sale),
      outcome: sale.outcome,
      returned: sale.returned && true,
    })),
    resold: lead.resale && true,
    converted_again: again > 0 ? again : undefined,
    hour,
    loss: lossOf(lead),
  };
}

/** One sale in the sums. */
function sumsOf(sale: CountedSale): Sums {
  const isKept = sale.returned === undefined;
  const converted = isKept && sale.outcome === 'converted';
  return {
    ...NO_SUMS,
    sales: 1,
    revenue: sale.price,
    cost: sale.cost,
    conversion_revenue: converted ? sale.price : 0,
    converted: Number(converted),
    not_qualified: Number(isKept && sale.outcome === 'not_qualified'),
    returned: Number(!isKept),
  };
}

/** Sums of one day and campaign while they are added up. */
export type Rows = Map<string, Row>;

/** Adds what a lead contributes (`sign` 1), or subtracts it (−1). */
export function add(
  rows: Rows,
  lead: Pick<Lead, 'supplier_id' | 'fields'>,
  contribution: Contribution | null,
  sign: 1 | -1,
): void {
  if (!contribution) return;
  const { status, sales, resold, converted_again = 0, loss, hour } = contribution;
  const { supplier_id } = lead;
  const at = { supplier_id, ...stateOf(lead) };
  const each = sales.map((sale) => ({ buyer_id: sale.buyer_id, sums: times(sumsOf(sale), sign) }));
  const whole: Sums = {
    ...total(each.map(({ sums }) => sums)),
    leads: sign,
    converted_again: sign * converted_again,
  };
  put(rows, { facet: 'all' }, status, whole);
  put(rows, { facet: 'supplier', supplier_id }, status, whole);
  put(rows, { facet: 'state', ...stateOf(lead) }, status, whole);
  if (hour !== undefined) {
    put(rows, { facet: 'hour', supplier_id, hour }, status, whole);
    put(rows, { facet: 'clock', hour }, status, whole);
  }
  if (resold) put(rows, { facet: 'resold', supplier_id }, status, whole);
  if (loss) put(rows, { facet: 'reason', ...loss }, status, whole);
  if (sales.length === 0) put(rows, { facet: 'cell', ...at }, status, whole);
  for (const [index, { buyer_id, sums }] of each.entries()) {
    const leads = index === 0 ? sign : 0;
    const cell = { facet: 'cell', ...at, buyer_id } as const;
    put(rows, cell, status, { ...sums, leads });
    put(rows, { facet: 'buyer', buyer_id }, status, { ...sums, leads: sign });
  }
}

/**
 * True when the two add the same. One that an earlier release counted without its reason or its hour stays so: to count the
 * leads of months again would be more than these are worth.
 */
export const isSameContribution = (a: Contribution | null, b: Contribution | null): boolean =>
  JSON.stringify(comparable(a)) === JSON.stringify(comparable(b)) &&
  hasSameLoss(a?.loss, b?.loss) &&
  isSameHour(a?.hour, b?.hour);

const hasSameLoss = (a?: Loss, b?: Loss): boolean =>
  !a || !b || (a.reason === b.reason && a.of === b.of);

const isSameHour = (a?: number, b?: number): boolean =>
  a === undefined || b === undefined || a === b;

const comparable = (one: Contribution | null): unknown =>
  one && [
    one.status,
    one.sales.map(({ buyer_id, price, cost, outcome, returned }) => [
      buyer_id,
      price,
      cost,
      outcome ?? null,
      returned ?? false,
    ]),
    one.resold ?? false,
    one.converted_again ?? 0,
  ];

/** `a` minus `b`, without zeros. */
export function difference(a: readonly Row[], b: readonly Row[]): Row[] {
  const rows: Rows = new Map();
  for (const [list, sign] of [[a, 1] as const, [b, -1] as const])
    for (const { by_status, ...place } of list)
      for (const [status, sums] of entriesOf(by_status))
        put(rows, placeOf(place), status, times(sums, sign));
  return nonZero(rows);
}

/** Without what else a stored sum has. */
const placeOf = ({ facet, buyer_id, supplier_id, state, reason, of, hour }: Place): Place => ({
  facet,
  buyer_id,
  supplier_id,
  state,
  reason,
  of,
  hour,
});

/** The sums that are not zero. */
export function nonZero(rows: Rows): Row[] {
  return [...rows.values()].flatMap(({ by_status, ...place }) => {
    const kept = entriesOf(by_status).filter(([, sums]) =>
      Object.values(sums).some((n) => n !== 0),
    );
    return kept.length === 0 ? [] : [{ ...place, by_status: Object.fromEntries(kept) }];
  });
}

export const entriesOf = (by_status: Row['by_status']): [CountedStatus, Sums][] =>
  Object.entries(by_status) as [CountedStatus, Sums][];

function put(rows: Rows, place: Place, status: CountedStatus, sums: Sums): void {
  const key = placeKey(place);
  const row = rows.get(key) ?? { ...place, by_status: {} };
  const before = row.by_status[status];
  row.by_status[status] = before ? plus(before, sums) : sums;
  rows.set(key, row);
}

/** The sums of several places together. */
export function total(list: readonly Sums[]): Sums {
  const all = { ...NO_SUMS };
  for (const sums of list) for (const name of SUM_NAMES) all[name] += sums[name];
  return all;
}

export function totalLine(list: readonly LineSums[]): LineSums {
  const all: LineSums = { leads: 0, sales: 0, revenue: 0, cost: 0 };
  for (const sums of list) for (const name of LINE_NAMES) all[name] += sums[name];
  return all;
}

const plus = (a: Sums, b: Sums): Sums => eachSum((name) => a[name] + b[name]);
const times = (sums: StoredSums, sign: 1 | -1): Sums => eachSum((name) => sign * (sums[name] ?? 0));

function stateOf({ fields }: Pick<Lead, 'fields'>): { state?: string } {
  const state = String(fields.state ?? '').slice(0, STATE_LENGTH);
  return state === '' ? {} : { state };
}
