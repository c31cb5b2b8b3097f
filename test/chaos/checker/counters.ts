/** The cap counters agree with the rows, sold and waiting: no more, no less. */
import { countersOf, type CapDoc } from '../../../src/routing/store/capDocs.js';
import type { DeliveryDoc } from '../../../src/deliveries/store/deliveryDoc.js';
import type { Instant, Violation } from '../evidence/evidence.js';
import type { Facts, Property } from './facts.js';
import { createShares, roomOf, WINDOWS, windowsOf, type Counted } from './links.js';

interface ReservationCounts {
  count: number;
  amount: number;
  /** The ids of the rows that are counted. */
  rows: Set<string>;
}

const noReservations = (): ReservationCounts => ({ count: 0, amount: 0, rows: new Set() });

/** States of rows whose lead holds a reservation. */
const COUNTING: readonly DeliveryDoc['state'][] = ['accepted', 'parked', 'unknown', 'sending'];

interface Expected {
  of: Counted;
  /** Leads and money by window and its key. */
  windows: Map<string, ReservationCounts>;
  /** The ids of the rows that count. */
  rows: Set<string>;
}

export const counters: Property = (facts) => {
  const expected = expectedCounts(facts);
  const docs = new Map(facts.evidence.record.caps.map((doc) => [doc._id, doc]));
  const missing = [...expected.values()].filter(({ of }) => of.kept && !docs.has(of.id));
  return [
    ...missing.map(({ of, rows }) => off(of.id, `is missing, but ${rows.size} rows count in it`)),
    ...[...docs.values()].flatMap((doc) => judge(doc, expected.get(doc._id), facts)),
    ...[...expected.values()].flatMap(({ of }) => overLimit(docs.get(of.id), of)),
  ];
};

function expectedCounts(facts: Facts): Map<string, Expected> {
  const sharesOf = createShares(facts);
  const all = new Map<string, Expected>();
  for (const row of facts.evidence.record.deliveries) {
    const lead = facts.leads.get(row.lead_id);
    if (!lead || row.reserved === null || !COUNTING.includes(row.state)) continue;
    for (const { of, leads, amount } of sharesOf(lead, row.buyer_id, row)) {
      const expected: Expected = all.get(of.id) ?? { of, windows: new Map(), rows: new Set() };
      all.set(of.id, expected);
      expected.rows.add(row._id);
      for (const { window, key } of windowsOf(row, of)) {
        const slot = expected.windows.get(`${window} ${key}`) ?? noReservations();
        expected.windows.set(`${window} ${key}`, slot);
        slot.count += leads;
        slot.amount += amount;
        slot.rows.add(row._id);
      }
    }
  }
  return all;
}

function judge(
  doc: CapDoc,
  expected: Expected | undefined,
  { evidence }: Pick<Facts, 'evidence'>,
): Violation[] {
  const counted = countersOf(doc);
  // A reservation whose row counts is only a leftover; any other holds a place of its own.
  const extra = doc.held.filter(({ hold_id }) => !expected?.rows.has(rowOfHold(hold_id)));
  return [
    ...leftovers(doc, extra.length, evidence.record.readAt),
    ...WINDOWS.flatMap((window): Violation[] => {
      const { key, count, amount } = counted[window];
      const rows = expected?.windows.get(`${window} ${key}`) ?? noReservations();
      // A leftover of a waiting row may be counted in later windows than the row.
      const own = doc.held.filter(
        ({ hold_id, keys }) =>
          (window === 'total' || keys[window] === key) && !rows.rows.has(rowOfHold(hold_id)),
      );
      const rightCount = rows.count + own.reduce((sum, { leads = 1 }) => sum + leads, 0);
      const rightAmount = rows.amount + own.reduce((sum, hold) => sum + hold.amount, 0);
      const where = `in ${window} ${key}`;
      const why = `${rows.count} leads sold or waiting, ${own.length} holds`;
      if (count !== rightCount) {
        return [off(doc._id, `counts ${count} ${where}, but ${rightCount} are right (${why})`)];
      }
      if (amount === rightAmount) return [];
      const what = `counter ${doc._id} has ${amount} micros ${where}, but ${rightAmount} are right (${why})`;
      return [{ total: 'money off', rule: 'counter_amount_off', what }];
    }),
  ];
}

/** A reservation that a lost run left stays two minutes, and the next `reconcile` ends it; in milliseconds. */
const ENDED_AFTER_MS = 190_000;

function leftovers({ _id, held }: CapDoc, extra: number, readAt: Instant): Violation[] {
  const left = held.filter(({ at }) => readAt - at.getTime() > ENDED_AFTER_MS);
  const [first] = left;
  if (!first) return [];
  const what = `counter ${_id} still has ${left.length} holds (the first is ${first.hold_id}), of which ${extra} take a slot that no row has`;
  const [leadId] = first.hold_id.split(':');
  const about = leadId === undefined ? {} : { lead_id: leadId };
  return [{ total: 'over cap', rule: 'leftover_hold', what, ...about }];
}

/** A reservation is named after its row, with or without the number of the sending. */
const rowOfHold = (holdId: string): string => holdId.split(':').slice(0, 2).join(':');

const off = (id: string, what: string): Violation => ({
  total: 'over cap',
  rule: 'counter_off',
  what: `counter ${id} ${what}`,
});

function overLimit(doc: CapDoc | undefined, { id, limits, named }: Counted): Violation[] {
  if (!doc) return [];
  return WINDOWS.flatMap((window): Violation[] => {
    const { key, count, amount } = countersOf(doc)[window];
    const room = roomOf(limits, { window, key });
    // Prices named by answers may exceed a budget: see `room.ts`.
    if (count <= room.count && (named || amount <= room.amount)) return [];
    const what = `counter ${id} has ${count} leads and ${amount} micros in ${window}; the limit is ${room.count} leads, ${room.amount} micros`;
    return [{ total: 'over cap', rule: 'counter_over_cap', what }];
  });
}
