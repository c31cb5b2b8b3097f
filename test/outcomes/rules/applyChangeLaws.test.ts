/** Invariants of a sold lead, for any outcomes in any order. */
import fc from 'fast-check';
import { describe, expect, it } from '@jest/globals';
import { applyChange } from '../../../src/outcomes/rules/applyChange.js';
import type { Sale } from '../../../src/leads/rules/lead.js';
import type { ChangeAsk } from '../../../src/leads/rules/saleChange.js';
import { costOf, revenueOf } from '../../../src/leads/rules/saleMoney.js';
import { after } from '../../support/storedRows.js';
import { aSale, change, course, RETURN, sold } from './soldLeads.js';

describe('any sequence of changes', () => {
  const money = fc.nat(1_000_000).map((n) => n * 100);
  const optional = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: undefined });
  const anOutcome = fc.record({
    kind: fc.constant('outcome' as const),
    outcome: optional(fc.constantFrom('pending', 'converted', 'not_qualified')),
    conversion_revenue: optional(money),
    lead_value: optional(money),
    note: optional(fc.string()),
  });
  const aReturn = fc.boolean().map((reverse_cost) => ({ ...RETURN, reverse_cost }));
  const anAsk: fc.Arbitrary<ChangeAsk> = fc.oneof(
    { weight: 6, arbitrary: anOutcome },
    { weight: 1, arbitrary: aReturn },
    { weight: 1, arbitrary: fc.constant({ kind: 'window' } as const) },
  );
  const changes = fc.array(fc.record({ ask: anAsk, buyer_id: fc.constantFrom('b1', 'b2') }), {
    maxLength: 30,
  });
  const sales = fc
    .tuple(money, money, optional(money), money)
    .map(([price, cost, conversion_price, further]) => [
      aSale('b1', { price, cost, ...(conversion_price === undefined ? {} : { conversion_price }) }),
      aSale('b2', { attempt: 2, price: further, cost: 0 }),
    ]);
  const at = (n: number) => ({ at: after(n * 1_000) });
  const run = (of: Sale[], list: { ask: ChangeAsk; buyer_id: string }[]) =>
    course(sold(...of), ...list.map(({ ask, buyer_id }, n) => change(ask, { buyer_id, ...at(n) })));

  it('keeps sums equal to the sales, and agreed prices unchanged', () => {
    fc.assert(
      fc.property(sales, changes, (of, list) => {
        const lead = run(of, list);
        expect(lead.price).toBe(lead.sales.reduce((sum, sale) => sum + revenueOf(sale), 0));
        expect(lead.cost).toBe(lead.sales.reduce((sum, sale) => sum + costOf(sale), 0));
        expect(lead.profit).toBe(lead.price - lead.cost);
        expect(lead.sales.map(({ price, cost }) => [price, cost])).toEqual(
          of.map(({ price, cost }) => [price, cost]),
        );
      }),
    );
  });

  it('is numbered and published without a gap, and never republished', () => {
    fc.assert(
      fc.property(sales, changes, (of, list) => {
        const { trail, outcome_seq } = run(of, list);
        const told = trail.map(({ detail }) => detail?.seq);
        expect(told).toEqual(told.map((_, n) => n + 1));
        expect(outcome_seq ?? 0).toBe(told.length);
        const asked = list.filter(({ ask }) => ask.kind === 'outcome');
        expect(trail.length).toBeGreaterThanOrEqual(asked.length);
      }),
    );
  });

  it('records for each step the revenue before and after it, without gaps', () => {
    fc.assert(
      fc.property(sales, changes, (of, list) => {
        const { trail, sales: now } = run(of, list);
        for (const sale of now) {
          const steps = trail.filter(({ buyer_id }) => buyer_id === sale.buyer_id);
          const revenues = steps.map(
            ({ detail }) => detail?.revenue as { from: number; to: number },
          );
          const ends = revenues.map(({ to }) => to);
          expect(revenues.map(({ from }) => from)).toEqual([sale.price, ...ends].slice(0, -1));
          if (ends.length > 0) expect(ends.at(-1)).toBe(revenueOf(sale));
        }
      }),
    );
  });

  it('brings the price of every sale that is neither converted nor returned', () => {
    fc.assert(
      fc.property(sales, changes, (of, list) => {
        for (const sale of run(of, list).sales) {
          const isPlain = sale.outcome !== 'converted' && !sale.returned;
          expect(isPlain && revenueOf(sale) !== sale.price).toBe(false);
          if (sale.returned) expect(revenueOf(sale)).toBe(0);
        }
      }),
    );
  });

  it('is converted since the first sale that is, as long as one is', () => {
    fc.assert(
      fc.property(sales, changes, (of, list) => {
        const { sales: now, converted_at } = run(of, list);
        const times = now
          .filter(({ outcome, returned }) => outcome === 'converted' && !returned)
          .map(({ outcome_at }) => Number(outcome_at));
        expect(Number(converted_at ?? Infinity)).toBe(Math.min(...times));
      }),
    );
  });

  it('does not change its input', () => {
    fc.assert(
      fc.property(sales, anAsk, (of, ask) => {
        const lead = sold(...of);
        const before = structuredClone(lead);
        applyChange(lead, change(ask));
        expect(lead).toEqual(before);
      }),
    );
  });
});
