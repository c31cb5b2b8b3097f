/**
 * Roll-ups: what reports are read from. A lead adds to the sums of its day what it is; when it changes, the
 * difference is added. Sums are kept whole, by buyer, by supplier, by state, and for each meeting of the three.
 */
import type { Lead, LeadStatus, Sale } from './lead.js';
import type { Micros } from './plan.js';

/** As it is known outside: what is being sold further is sold. */
export type CountedStatus = Exclude<LeadStatus, 'NEW' | 'SELLING' | 'WITHDRAWN'>;

/** What a lead has added to the sums. */
export interface Contribution {
  status: CountedStatus;
  sales: Pick<Sale, 'buyer_id' | 'price' | 'cost'>[];
}

/** What a sum is of; `cell` is one supplier, state and buyer. */
export type Facet = 'all' | 'buyer' | 'supplier' | 'state' | 'cell';

export interface Sums {
  /** In a `cell`, a lead sold to several counts with the first only: cells add up to the whole. */
  leads: number;
  sales: number;
  revenue: Micros;
  cost: Micros;
}

/** One sum's place. Absent: of all, or of those that have none. */
export interface Place {
  facet: Facet;
  buyer_id?: string;
  supplier_id?: string;
  state?: string;
}

export interface Row extends Place {
  by_status: Partial<Record<CountedStatus, Sums>>;
}

/** A place among those of one day and campaign. Two places have two keys. */
export const placeKey = ({ facet, buyer_id, supplier_id, state }: Place): string =>
  JSON.stringify([facet, buyer_id ?? null, supplier_id ?? null, state ?? null]);

/** Longer values of a free text are told apart by their beginning. */
const STATE_LENGTH = 64;

type Counted = Pick<Lead, 'is_test' | 'status' | 'sales'>;

/** What the lead is to add; null for a test lead, one nobody has decided on, and one that was not taken in. */
export function contributionOf(lead: Counted): Contribution | null {
  const { status, is_test, sales } = lead;
  if (is_test || status === 'NEW' || status === 'WITHDRAWN') return null;
  return {
    status: status === 'SELLING' ? 'ACCEPTED' : status,
    sales: sales.map(({ buyer_id, price, cost }) => ({ buyer_id, price, cost })),
  };
}

/** Sums of one day and campaign that are being added up. */
export type Rows = Map<string, Row>;

/** Adds what a lead contributes (`sign` 1), or takes it away (−1). */
export function add(
  rows: Rows,
  lead: Pick<Lead, 'supplier_id' | 'fields'>,
  contribution: Contribution | null,
  sign: 1 | -1,
): void {
  if (!contribution) return;
  const { status, sales } = contribution;
  const { supplier_id } = lead;
  const at = { supplier_id, ...stateOf(lead) };
  const whole: Sums = {
    leads: sign,
    sales: sign * sales.length,
    revenue: sign * sumOf(sales, 'price'),
    cost: sign * sumOf(sales, 'cost'),
  };
  put(rows, { facet: 'all' }, status, whole);
  put(rows, { facet: 'supplier', supplier_id }, status, whole);
  put(rows, { facet: 'state', ...stateOf(lead) }, status, whole);
  if (sales.length === 0) put(rows, { facet: 'cell', ...at }, status, whole);
  for (const [index, { buyer_id, price, cost }] of sales.entries()) {
    const sums: Sums = { leads: 0, sales: sign, revenue: sign * price, cost: sign * cost };
    const leads = index === 0 ? sign : 0;
    const cell = { facet: 'cell', ...at, buyer_id } as const;
    put(rows, cell, status, { ...sums, leads });
    put(rows, { facet: 'buyer', buyer_id }, status, { ...sums, leads: sign });
  }
}

/** True when the two add the same. */
export const isSameContribution = (a: Contribution | null, b: Contribution | null): boolean =>
  JSON.stringify(comparable(a)) === JSON.stringify(comparable(b));

const comparable = (one: Contribution | null): unknown =>
  one && [one.status, one.sales.map(({ buyer_id, price, cost }) => [buyer_id, price, cost])];

/** `a` less `b`, without what is zero. */
export function difference(a: readonly Row[], b: readonly Row[]): Row[] {
  const rows: Rows = new Map();
  for (const [list, sign] of [[a, 1] as const, [b, -1] as const])
    for (const { by_status, ...place } of list)
      for (const [status, sums] of entriesOf(by_status))
        put(rows, place, status, times(sums, sign));
  return nonZero(rows);
}

/** The sums that change anything. */
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
export const total = (sums: readonly Sums[]): Sums =>
  sums.reduce<Sums>(plus, { leads: 0, sales: 0, revenue: 0, cost: 0 });

const plus = (a: Sums, b: Sums): Sums => ({
  leads: a.leads + b.leads,
  sales: a.sales + b.sales,
  revenue: a.revenue + b.revenue,
  cost: a.cost + b.cost,
});
const times = ({ leads, sales, revenue, cost }: Sums, sign: number): Sums => ({
  leads: sign * leads,
  sales: sign * sales,
  revenue: sign * revenue,
  cost: sign * cost,
});

const sumOf = (sales: Contribution['sales'], money: 'price' | 'cost'): Micros =>
  sales.reduce((sum, sale) => sum + sale[money], 0);

function stateOf({ fields }: Pick<Lead, 'fields'>): { state?: string } {
  const state = String(fields.state ?? '').slice(0, STATE_LENGTH);
  return state === '' ? {} : { state };
}
