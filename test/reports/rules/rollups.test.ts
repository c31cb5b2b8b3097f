import fc from 'fast-check';
import { describe, expect, it } from '@jest/globals';
import type { Contribution } from '../../../src/leads/rules/contribution.js';
import type { Lead } from '../../../src/leads/rules/lead.js';
import {
  add,
  contributionOf,
  difference,
  entriesOf,
  isSameContribution,
  nonZero,
  total,
  type Row,
  type Rows,
  type Sums,
} from '../../../src/reports/rules/rollups.js';
import { aLead } from '../../support/storedRows.js';

const sale = (buyer_id: string, price = 25_500_000, cost = 12_000_000): Lead['sales'][number] => ({
  buyer_id,
  attempt: 1,
  price,
  cost,
  at: new Date(0),
});
const sold = (...sales: Lead['sales']): Lead =>
  aLead({ status: 'ACCEPTED', sales, fields: { state: 'CA' } });

/** These sales have no outcome. */
const UNSAID = {
  converted: 0,
  not_qualified: 0,
  returned: 0,
  conversion_revenue: 0,
  converted_again: 0,
};

const rowsOf = (...leads: Lead[]): Row[] => {
  const rows: Rows = new Map();
  for (const lead of leads) add(rows, lead, contributed(lead), 1);
  return nonZero(rows);
};
const at = (rows: readonly Row[], place: Partial<Row>): Row['by_status'] | undefined =>
  rows.find((row) => Object.entries(place).every(([key, value]) => row[key as keyof Row] === value))
    ?.by_status;

/** The sums of all rows of a facet, over all statuses. */
const wholeOf = (rows: readonly Row[], facet: Row['facet']): Sums =>
  total(
    rows
      .filter((row) => row.facet === facet)
      .flatMap(({ by_status }) => entriesOf(by_status).map(([, sums]) => sums)),
  );

const RETURNED = {
  returned: { at: new Date(0), return_id: 'r', cost_reversed: true },
  revenue: 0,
};

const aDecided = fc
  .record({
    supplier_id: fc.constantFrom('s1', 's2'),
    state: fc.constantFrom('CA', 'TX', '', undefined),
    buyers: fc.uniqueArray(fc.constantFrom('b1', 'b2', 'b3'), { maxLength: 3 }),
    price: fc.integer({ min: 0, max: 1e9 }),
    unsold: fc.constantFrom('UNMATCHED', 'DUPLICATE', 'REJECTED', 'EXPIRED', 'PENDING', 'NEW'),
    is_test: fc.boolean(),
    outcome: fc.constantFrom('converted', 'not_qualified', 'pending', 'expired', undefined),
    isReturned: fc.boolean(),
  })
  .map(({ supplier_id, state, buyers, price, unsold, is_test, outcome, isReturned }) =>
    aLead({
      supplier_id,
      is_test,
      fields: state === undefined ? {} : { state },
      status: buyers.length > 0 ? 'ACCEPTED' : (unsold as Lead['status']),
      outcome: buyers.length > 0 ? outcome : undefined,
      sales: buyers.map((id, index) => ({
        ...sale(id, price + index, index),
        ...(index === 0 ? { outcome } : {}),
        ...(index === 1 && isReturned ? RETURNED : {}),
      })),
    }),
  );

const HOUR = 9;
const contributed = (lead: Lead) => contributionOf(lead, HOUR);

describe('what a lead adds to the sums', () => {
  it('is nothing for an undecided, a withdrawn and a test lead', () => {
    expect(contributed(aLead({ status: 'NEW' }))).toBeNull();
    expect(contributed(aLead({ status: 'WITHDRAWN' }))).toBeNull();
    expect(contributed(aLead({ status: 'ACCEPTED', is_test: true }))).toBeNull();
  });

  it('is an accepted lead while it is sold to further buyers', () => {
    expect(contributed(aLead({ status: 'SELLING', sales: [sale('b1')] }))).toEqual({
      status: 'ACCEPTED',
      sales: [{ buyer_id: 'b1', price: 25_500_000, cost: 12_000_000 }],
      hour: HOUR,
    });
  });

  it('is in no hour, and takes nothing from one, where an earlier release counted it', () => {
    const lead = sold(sale('b1'));
    const earlier = { ...(contributed(lead) as Contribution), hour: undefined };
    expect(isSameContribution(earlier, contributed(lead))).toBe(true);
    expect(isSameContribution({ ...earlier, hour: 8 }, contributed(lead))).toBe(false);
    const rows: Rows = new Map();
    add(rows, lead, earlier, -1);
    expect([...rows.values()].map(({ facet }) => facet)).not.toContain('hour');
    add(rows, lead, contributed(lead), 1);
    expect(nonZero(rows)).toMatchObject([
      { facet: 'hour', supplier_id: 'supplier', hour: HOUR },
      { facet: 'clock', hour: HOUR },
    ]);
  });

  it('is in the total, by supplier, state, buyer and hour, and in their cell', () => {
    const rows = rowsOf(sold(sale('b1')));
    const money = { revenue: 25_500_000, cost: 12_000_000 };
    const once = { ACCEPTED: { leads: 1, sales: 1, ...money, ...UNSAID } };
    expect(rows).toHaveLength(7);
    for (const { by_status } of rows) expect(by_status).toEqual(once);
    expect(
      at(rows, { facet: 'cell', supplier_id: 'supplier', state: 'CA', buyer_id: 'b1' }),
    ).toBeDefined();
  });

  it('is counted by the reason for which it was not sold, with the buyer that came nearest', () => {
    const full = { at: new Date(0), step: 'caps', result: 'full', reason: 'buyer_cap' } as const;
    const lost = (buyer_id: string) =>
      aLead({ status: 'UNMATCHED', trail: [{ ...full, buyer_id }] });
    const rows = rowsOf(lost('b1'), lost('b1'), lost('b2'));
    expect(at(rows, { facet: 'reason', reason: 'buyer_cap', of: 'b1' })).toMatchObject({
      UNMATCHED: { leads: 2 },
    });
    expect(at(rows, { facet: 'reason', reason: 'buyer_cap', of: 'b2' })).toMatchObject({
      UNMATCHED: { leads: 1 },
    });
    expect(wholeOf(rows, 'reason').leads).toBe(3);
    expect(wholeOf(rowsOf(sold(sale('b1'))), 'reason').leads).toBe(0);
  });

  it('stays as an earlier release has counted it, without a reason', () => {
    const now = contributed(aLead({ status: 'UNMATCHED' }));
    const before = now && { ...now, loss: undefined };
    expect(now?.loss).toEqual({ reason: 'no_buyer' });
    expect(isSameContribution(before, now)).toBe(true);
    expect(isSameContribution(now && { ...now, loss: { reason: 'max_age' } }, now)).toBe(false);
  });

  it('is one lead and two sales when it was sold to two', () => {
    const rows = rowsOf(sold(sale('b1', 30, 10), sale('b2', 20, 0)));
    expect(at(rows, { facet: 'all' })).toEqual({
      ACCEPTED: { leads: 1, sales: 2, revenue: 50, cost: 10, ...UNSAID },
    });
    expect(at(rows, { facet: 'buyer', buyer_id: 'b2' })).toEqual({
      ACCEPTED: { leads: 1, sales: 1, revenue: 20, cost: 0, ...UNSAID },
    });
    expect(at(rows, { facet: 'cell', buyer_id: 'b2' })).toEqual({
      ACCEPTED: { leads: 0, sales: 1, revenue: 20, cost: 0, ...UNSAID },
    });
  });

  it('adds up to the same in the total, by supplier, by state and in the cells', () => {
    fc.assert(
      fc.property(fc.array(aDecided, { maxLength: 20 }), (leads) => {
        const rows = rowsOf(...leads);
        const whole = wholeOf(rows, 'all');
        for (const facet of ['supplier', 'state', 'cell'] as const)
          expect(wholeOf(rows, facet)).toEqual(whole);
        // A lead counts for each of its buyers; everything else counts once, there too.
        expect({ ...wholeOf(rows, 'buyer'), leads: 0 }).toEqual({ ...whole, leads: 0 });
      }),
    );
  });

  it('tells converted leads from converted sales, in the total, by supplier and by state', () => {
    const converts = (id: string) => ({ ...sale(id), outcome: 'converted' as const });
    const lead = { ...sold(converts('b1'), converts('b2'), sale('b3')), outcome: 'converted' };
    const rows = rowsOf(lead as Lead, sold(converts('b1')));
    for (const facet of ['all', 'supplier', 'state'] as const)
      expect(wholeOf(rows, facet)).toMatchObject({ leads: 2, converted: 3, converted_again: 1 });
    for (const facet of ['buyer', 'cell'] as const)
      expect(wholeOf(rows, facet)).toMatchObject({ converted: 3, converted_again: 0 });
    // Counted by an earlier release: it is taken out as it was put in, and then counted anew.
    const before = contributed(lead as Lead);
    delete before?.converted_again;
    expect(isSameContribution(before, contributed(lead as Lead))).toBe(false);
    const moved: Rows = new Map();
    add(moved, lead, before, 1);
    add(moved, lead, before, -1);
    expect(nonZero(moved)).toEqual([]);
  });

  it('counts a lead that is sold again apart, for its supplier', () => {
    const resale = { origin: 'l0', order_id: 'o', exclude: [], campaigns: ['c'] };
    const resold = { ...sold(sale('b2')), resale: { ...resale, replaces: true, paid: false } };
    const rows = rowsOf(sold(sale('b1')), resold);
    expect(wholeOf(rows, 'supplier')).toMatchObject({ leads: 2, sales: 2 });
    expect(wholeOf(rows, 'resold')).toMatchObject({ leads: 1, sales: 1, cost: 12_000_000 });
    const before = contributed(resold);
    delete before?.resold;
    expect(isSameContribution(before, contributed(resold))).toBe(false);
  });

  it('is under its shown status, with the current revenue and cost of its sales', () => {
    const converted = { ...sale('b1', 30, 10), outcome: 'converted' as const, revenue: 70 };
    const rows = rowsOf(
      { ...sold(converted, { ...sale('b2', 20, 5), ...RETURNED }), outcome: 'converted' },
      {
        ...sold({ ...sale('b2', 20, 5), ...RETURNED, outcome: 'converted' }),
        outcome: 'converted',
      },
      { ...sold({ ...sale('b2', 20, 5), outcome: 'not_qualified' }), outcome: 'not_qualified' },
    );
    expect(at(rows, { facet: 'all' })).toEqual({
      converted: {
        ...UNSAID,
        leads: 1,
        sales: 2,
        revenue: 70,
        cost: 10,
        converted: 1,
        conversion_revenue: 70,
        returned: 1,
      },
      RETURNED: { ...UNSAID, leads: 1, sales: 1, revenue: 0, cost: 0, returned: 1 },
      not_qualified: { ...UNSAID, leads: 1, sales: 1, revenue: 20, cost: 5, not_qualified: 1 },
    });
  });

  it('is compared with sums from before there were outcomes as if they were zero', () => {
    const old = { leads: 1, sales: 1, revenue: 30, cost: 10 } as Sums;
    const [row] = rowsOf(sold(sale('b1', 30, 10))).filter(({ facet }) => facet === 'all');
    expect(difference([row as Row], [{ facet: 'all', by_status: { ACCEPTED: old } }])).toEqual([]);
  });

  it('leaves nothing behind when it is subtracted again', () => {
    fc.assert(
      fc.property(fc.array(aDecided, { maxLength: 20 }), (leads) => {
        const rows: Rows = new Map();
        for (const lead of leads) add(rows, lead, contributed(lead), 1);
        for (const lead of leads) add(rows, lead, contributed(lead), -1);
        expect(nonZero(rows)).toEqual([]);
      }),
    );
  });

  it('changes by the difference', () => {
    fc.assert(
      fc.property(fc.array(aDecided), fc.array(aDecided), (before, now) => {
        const [a, b] = [rowsOf(...now), rowsOf(...before)];
        expect(difference(a, a)).toEqual([]);
        const by = wholeOf(difference(a, b), 'all');
        expect(by.leads).toBe(wholeOf(a, 'all').leads - wholeOf(b, 'all').leads);
        expect(by.revenue).toBe(wholeOf(a, 'all').revenue - wholeOf(b, 'all').revenue);
      }),
    );
  });

  it('is the same whatever order its keys were stored in', () => {
    const one = { status: 'ACCEPTED', sales: [{ buyer_id: 'b', price: 1, cost: 2 }] } as const;
    const other = { sales: [{ cost: 2, price: 1, buyer_id: 'b' }], status: 'ACCEPTED' } as const;
    expect(
      isSameContribution({ ...one, sales: [...one.sales] }, { ...other, sales: [...other.sales] }),
    ).toBe(true);
    expect(isSameContribution({ ...one, sales: [...one.sales] }, null)).toBe(false);
  });

  it('distinguishes long free texts by their first 64 characters', () => {
    const long = aLead({ status: 'UNMATCHED', fields: { state: 'x'.repeat(300) } });
    expect(at(rowsOf(long), { facet: 'state', state: 'x'.repeat(64) })).toBeDefined();
  });
});
