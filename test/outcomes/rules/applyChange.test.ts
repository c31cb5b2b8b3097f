/** The result of each change of a sale, row by row (contract 7.3). */
import { describe, expect, it } from '@jest/globals';
import { applyChange } from '../../../src/outcomes/rules/applyChange.js';
import type { Sale } from '../../../src/leads/rules/lead.js';
import type { OutcomeAsk } from '../../../src/leads/rules/saleChange.js';
import { costOf } from '../../../src/leads/rules/saleMoney.js';
import { shownStatus } from '../../../src/leads/rules/shownStatus.js';
import { after } from '../../support/storedRows.js';
import { aSale, change, course, RETURN, says, sold } from './soldLeads.js';

describe('a sold lead', () => {
  it.each(['pending', 'converted', 'not_qualified'] as const)(
    'has the status %s when its buyer reports it',
    (outcome) => {
      const lead = course(sold(aSale('b1')), says({ outcome }));
      expect(shownStatus(lead)).toBe(outcome);
      expect(lead).toMatchObject({ status: 'ACCEPTED', outcome, outcome_at: after(1_000) });
      expect(lead.sales).toMatchObject([{ outcome, outcome_at: after(1_000), price: 10e6 }]);
    },
  );

  it('brings on conversion the reported revenue, else the conversion price, else its price', () => {
    const converts = (said: Omit<OutcomeAsk, 'kind'>, sale: Partial<Sale> = {}) =>
      course(sold(aSale('b1', sale)), says({ outcome: 'converted', ...said })).price;
    expect(converts({ conversion_revenue: 70e6 }, { conversion_price: 50e6 })).toBe(70e6);
    expect(converts({ conversion_revenue: 0 }, { conversion_price: 50e6 })).toBe(0);
    expect(converts({}, { conversion_price: 50e6 })).toBe(50e6);
    expect(converts({})).toBe(10e6);
  });

  it('has its revenue added or corrected while it is converted', () => {
    const lead = course(
      sold(aSale('b1')),
      says({ outcome: 'converted' }),
      says({ conversion_revenue: 30e6 }),
      says({ conversion_revenue: 31e6 }, { at: after(5_000) }),
    );
    expect(lead).toMatchObject({ outcome: 'converted', price: 31e6, cost: 4e6, profit: 27e6 });
    expect(lead.converted_at).toEqual(after(1_000));
  });

  it('keeps reported revenue, value and note, and its status, without an outcome', () => {
    const lead = course(
      sold(aSale('b1')),
      says({ conversion_revenue: 30e6, lead_value: 900e6, note: 'rich' }),
    );
    expect(shownStatus(lead)).toBe('ACCEPTED');
    expect(lead).toMatchObject({ price: 10e6, cost: 4e6, profit: 6e6 });
    expect(lead.sales[0]).toMatchObject({
      conversion_revenue: 30e6,
      lead_value: 900e6,
      note: 'rich',
    });
    expect(lead.trail.at(-1)).toMatchObject({ step: 'outcome', result: 'updated' });
    expect(JSON.stringify(lead.trail)).not.toContain('rich');
    expect(course(lead, says({ outcome: 'converted' })).price).toBe(30e6);
  });

  it('loses what is taken back: its outcome, revenue, value and note', () => {
    const said = { conversion_revenue: 30e6, lead_value: 900e6, note: 'rich' };
    const sale = aSale('b1', { outcome_due: after(9e6) });
    const converted = course(sold(sale), says({ outcome: 'converted', ...said }));
    expect(converted.outcome_due).toBeUndefined();
    const cleared = course(
      converted,
      says({ clear: ['outcome', 'conversion_revenue', 'lead_value', 'note'] }),
    );
    expect(cleared.sales).toEqual([sale]);
    expect(cleared).toMatchObject({ price: 10e6, cost: 4e6, profit: 6e6 });
    expect([cleared.outcome, cleared.outcome_at, cleared.converted_at]).toEqual(
      Array(3).fill(undefined),
    );
    expect(shownStatus(cleared)).toBe('ACCEPTED');
    expect(cleared.trail.at(-1)).toMatchObject({ step: 'outcome', result: 'cleared' });
    expect(cleared.outcome_due).toEqual(after(9e6));
  });

  it('keeps the outcome of another sale when that of one is taken back', () => {
    const lead = course(
      sold(aSale('b1'), aSale('b2')),
      says({ outcome: 'not_qualified' }, { buyer_id: 'b2' }),
      says({ outcome: 'converted', note: 'kept' }, { at: after(2_000) }),
      says({ clear: ['outcome'] }, { at: after(3_000) }),
    );
    expect(lead).toMatchObject({ outcome: 'not_qualified', outcome_at: after(1_000) });
    expect(lead.sales[0]).toMatchObject({ note: 'kept' });
    expect(course(lead, says({ clear: ['note'] })).trail.at(-1)).toMatchObject({
      result: 'updated',
    });
  });

  it('brings its price again when it is no longer converted, and the reported revenue when it converts again', () => {
    const converted = course(
      sold(aSale('b1')),
      says({ outcome: 'converted', conversion_revenue: 30e6 }),
    );
    const left = course(converted, says({ outcome: 'not_qualified' }));
    expect(left).toMatchObject({ price: 10e6, profit: 6e6, converted_at: undefined });
    expect(left.sales[0]).not.toHaveProperty('revenue');
    const again = course(left, says({ outcome: 'converted' }, { at: after(9_000) }));
    expect(again).toMatchObject({ price: 30e6, converted_at: after(9_000) });
  });

  it('brings nothing when it is returned, whatever is reported afterwards', () => {
    const lead = course(
      sold(aSale('b1')),
      says({ outcome: 'converted', conversion_revenue: 30e6 }),
      change(RETURN),
      says({ outcome: 'converted', conversion_revenue: 40e6 }),
    );
    expect(shownStatus(lead)).toBe('RETURNED');
    expect(lead).toMatchObject({ price: 0, cost: 0, profit: 0, outcome: 'converted' });
    expect(lead.converted_at).toBeUndefined();
    expect(lead.trail.map(({ result }) => result)).toEqual(['converted', 'returned', 'converted']);
  });

  it('keeps its cost when a return does not reverse it', () => {
    const lead = course(sold(aSale('b1')), change({ ...RETURN, reverse_cost: false }));
    expect(lead).toMatchObject({ price: 0, cost: 4e6, profit: -4e6 });
  });

  it('is returned once', () => {
    const once = course(sold(aSale('b1')), change(RETURN));
    const twice = applyChange(once, change({ ...RETURN, return_id: 'r2', reverse_cost: false }));
    expect(twice).toMatchObject({ entry: null, lead: { cost: 0, outcome_seq: 1 } });
  });

  it('has no revenue and no cost as a test lead, whatever is reported', () => {
    const lead = {
      ...sold(aSale('b1', { price: 0, cost: 0, conversion_price: 50e6 })),
      is_test: true,
    };
    const converted = course(lead, says({ outcome: 'converted', conversion_revenue: 9e6 }));
    expect(converted).toMatchObject({ outcome: 'converted', price: 0, cost: 0, profit: 0 });
  });

  it('is not changed by a buyer that does not have it', () => {
    expect(
      applyChange(sold(aSale('b1')), says({ outcome: 'pending' }, { buyer_id: 'b2' })),
    ).toBeNull();
  });
});

describe('the end of the time for an outcome', () => {
  const END = { kind: 'window' } as const;
  const SYSTEM = { kind: 'system' } as const;
  const ends = (buyer_id = 'b1') => change(END, { buyer_id, by: SYSTEM, at: after(9e6) });

  it('sets the outcome of a sale without a reported one', () => {
    const lead = course(sold(aSale('b1')), ends());
    expect(shownStatus(lead)).toBe('expired');
    expect(lead).toMatchObject({ price: 10e6, outcome: 'expired', outcome_due: undefined });
  });

  it.each([says({ outcome: 'pending' }), change(RETURN)])('changes nothing after %j', (earlier) => {
    const lead = course(sold(aSale('b1')), earlier);
    expect(applyChange(lead, ends())).toMatchObject({ entry: null, lead });
    expect(lead.outcome_due).toBeUndefined();
  });

  it('applies to a sale with only reported revenue, value or note', () => {
    const lead = course(sold(aSale('b1')), says({ note: 'later' }));
    expect(lead.outcome_due).toEqual(after(9e6));
    expect(course(lead, ends()).outcome).toBe('expired');
  });

  it('is not final: a buyer may report a conversion later', () => {
    const lead = course(
      sold(aSale('b1')),
      ends(),
      says({ outcome: 'converted', conversion_revenue: 1 }),
    );
    expect(lead).toMatchObject({ outcome: 'converted', price: 1 });
  });

  it("of one sale is not the outcome of a lead that has another buyer's outcome", () => {
    const lead = course(
      sold(aSale('b1'), aSale('b2', { attempt: 2, cost: 0 })),
      says({ outcome: 'converted' }),
      ends('b2'),
    );
    expect(lead.sales.map(({ outcome }) => outcome)).toEqual(['converted', 'expired']);
    expect(lead).toMatchObject({ outcome: 'converted', outcome_due: undefined });
  });
});

describe('a lead with several sales', () => {
  const two = sold(aSale('b1'), aSale('b2', { attempt: 2, price: 8e6, cost: 0 }));
  const second = { buyer_id: 'b2', by: { kind: 'buyer', id: 'b2' } } as const;

  it('has an outcome for each, their sum, and the latest reported status', () => {
    const lead = course(
      two,
      says({ outcome: 'converted', conversion_revenue: 30e6 }),
      says({ outcome: 'not_qualified' }, second),
    );
    expect(lead).toMatchObject({ price: 38e6, cost: 4e6, profit: 34e6, outcome: 'not_qualified' });
    expect(lead.sales.map(({ outcome }) => outcome)).toEqual(['converted', 'not_qualified']);
    expect(lead.converted_at).toEqual(after(1_000));
  });

  it('is shown as returned when all of them are', () => {
    const one = course(two, change(RETURN));
    expect(shownStatus(one)).toBe('ACCEPTED');
    expect(one).toMatchObject({ price: 8e6, cost: 0 });
    expect(shownStatus(course(one, change({ ...RETURN, return_id: 'r2' }, second)))).toBe(
      'RETURNED',
    );
  });

  it('owes its one cost while any sale is left, and each sale its own where each has one', () => {
    const two = sold(aSale('b1'), aSale('b2', { attempt: 2, cost: 0 }));
    const gives = (buyer_id: string, owesOnce = true) =>
      change({ ...RETURN, return_id: buyer_id }, { buyer_id, owesOnce });
    const first = course(two, gives('b1'));
    expect(first).toMatchObject({ price: 10e6, cost: 4e6, profit: 6e6 });
    expect(first.sales.map(costOf)).toEqual([0, 4e6]);
    expect(course(first, gives('b2'))).toMatchObject({ price: 0, cost: 0, profit: 0 });
    expect(course(two, gives('b2'), gives('b1'))).toMatchObject({ cost: 0 });
    expect(course(two, gives('b2'))).toMatchObject({ cost: 4e6 });
    const shares = sold(aSale('b1'), aSale('b2', { attempt: 2, cost: 3e6 }));
    expect(course(shares, gives('b1', false))).toMatchObject({ cost: 3e6 });
    expect(course(shares, gives('b1', false)).sales[1]).not.toHaveProperty('carries');
  });

  it('owes its one cost to the end where a buyer that keeps it by agreement returned the lead', () => {
    const two = sold(aSale('b1'), aSale('b2', { attempt: 2, cost: 0 }));
    const kept = change({ ...RETURN, reverse_cost: false }, { buyer_id: 'b2', owesOnce: true });
    const reversed = change({ ...RETURN, return_id: 'r2' }, { owesOnce: true });
    expect(course(two, kept, reversed)).toMatchObject({ price: 0, cost: 4e6, profit: -4e6 });
  });
});
