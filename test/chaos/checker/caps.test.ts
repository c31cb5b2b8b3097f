import { describe, it, expect } from '@jest/globals';
import type { CapLimits } from '../../../src/account/rules/capLimits.js';
import { check } from './check.js';
import { expired, held, passedOn, sold } from './endings.js';
import { aCampaign, aRun, aSupplier, rulesOf, T0, type StoryRun } from './stories.js';

const DAY_MS = 86_400_000;

const limited = (limits: CapLimits): StoryRun => {
  const campaign = aCampaign();
  campaign.buyers.forEach((link) => (link.caps = limits));
  return aRun([campaign]);
};
const limitedSupplier = (limits: CapLimits): StoryRun =>
  aRun([aCampaign({ suppliers: [aSupplier({ caps: limits })] })]);
const limitedCampaign = (limits: CapLimits): StoryRun => aRun([aCampaign({ caps: limits })]);

describe('sold_over_cap', () => {
  it.each([
    ['a cap of the buyer', limited, { total_cap: 2 }, { total_cap: 1 }],
    ['a daily cap', limited, { daily_cap: 2 }, { daily_cap: 1 }],
    [
      'a cap of a weekday',
      limited,
      { daily_cap: 1, daily_caps: { sat: 2 } },
      { daily_cap: 2, daily_caps: { sat: 1 } },
    ],
    ['a budget of the buyer', limited, { total_budget: 20 }, { total_budget: 19 }],
    ['a cap of the supplier', limitedSupplier, { weekly_cap: 2 }, { weekly_cap: 1 }],
    ['a budget of the supplier', limitedSupplier, { monthly_budget: 8 }, { monthly_budget: 7 }],
    ['a cap of the campaign', limitedCampaign, { total_cap: 2 }, { total_cap: 1 }],
    ['a budget of the campaign', limitedCampaign, { total_budget: 20 }, { total_budget: 19 }],
  ])('reports %s, and only when it is exceeded', (_name, make, enough, tooLittle) => {
    const tell = (limits: CapLimits) => {
      const run = make(limits);
      sold(run);
      sold(run);
      return rulesOf(run.finish());
    };
    expect(tell(enough)).toEqual([]);
    expect(tell(tooLittle)).toEqual(['sold_over_cap', 'taken_over_cap', 'counter_over_cap']);
  });

  it('names the first lead that was one too many, in the order of the sales', () => {
    const run = limited({ total_cap: 1 });
    const [first, second] = [sold(run), sold(run)];
    for (const sale of first.lead.sales) {
      sale.at = new Date((second.lead.sales[0]?.at.getTime() ?? 0) + 1);
    }
    const violation = check(run.finish()).find(({ rule }) => rule === 'sold_over_cap');
    expect(violation?.lead_id).toBe(first.lead._id);
    expect(violation?.total).toBe('over cap');
  });

  it('counts each day for itself', () => {
    const run = limited({ daily_cap: 1 });
    sold(run);
    const { row } = sold(run, 'holding', { at: T0 + DAY_MS });
    row.reserved = { day: '2026-11-22', week: 'W2026-11-16', month: '2026-11' };
    const evidence = run.finish();
    const [counter] = evidence.record.caps;
    if (counter) counter.day = { key: '2026-11-22', count: 1, amount: 10 };
    evidence.record.readAt += DAY_MS;
    expect(rulesOf(evidence)).toEqual([]);
  });

  it('leaves test leads out', () => {
    const run = limited({ total_cap: 1 });
    sold(run);
    const { lead, row } = sold(run);
    Object.assign(lead, { is_test: true, price: 0, cost: 0, profit: 0 });
    lead.sales.forEach((sale) => Object.assign(sale, { price: 0, cost: 0 }));
    row.reserved = null;
    expect(rulesOf(run.finish())).toEqual([]);
  });
});

describe('taken_over_cap', () => {
  it('reports when a buyer accepted more than its cap, though fewer sales are recorded', () => {
    const run = limited({ total_cap: 1 });
    sold(run);
    held(run);
    expect(rulesOf(run.finish())).toEqual(['taken_over_cap', 'counter_over_cap']);
  });

  it('leaves out abandoned deliveries', () => {
    const run = limited({ total_cap: 1 });
    passedOn(run);
    expired(run);
    expect(rulesOf(run.finish())).toEqual([]);
  });
});

describe('counters', () => {
  it('counter_off: reports when a counter counts more, or less, than the rows', () => {
    for (const by of [1, -1]) {
      const run = aRun();
      sold(run);
      held(run);
      const evidence = run.finish();
      evidence.record.caps.forEach((doc) => (doc.total.count += by));
      const [violation, ...others] = check(evidence);
      expect(others).toEqual([]);
      expect(violation?.rule).toBe('counter_off');
      expect(violation?.what).toBe(
        `counter buyer:c1:holding counts ${2 + by} in total all, but 2 are right (2 leads sold or waiting, 0 holds)`,
      );
    }
  });

  it('counter_off: reports when a counter is missing', () => {
    const run = limitedCampaign({ total_cap: 5 });
    sold(run);
    const evidence = run.finish();
    evidence.record.caps = [];
    expect(check(evidence).map(({ what }) => what)).toEqual([
      'counter buyer:c1:holding is missing, but 1 rows count in it',
      'counter campaign:c1 is missing, but 1 rows count in it',
    ]);
  });

  it('leftover_hold: says whether a hold takes a reservation of its own', () => {
    const run = aRun();
    const { row } = sold(run);
    const evidence = run.finish();
    const [counter] = evidence.record.caps;
    const hold = {
      hold_id: row._id,
      fence: 1,
      amount: 10,
      keys: { day: '2026-11-21', week: 'W2026-11-16', month: '2026-11' },
      at: new Date(0),
    };
    counter?.held.push(hold);
    expect(check(evidence).map(({ what }) => what)).toEqual([
      `counter buyer:c1:holding still has 1 holds (the first is ${row._id}), of which 0 take a slot that no row has`,
    ]);
    for (const name of ['day', 'week', 'month', 'total'] as const) {
      if (counter) Object.assign(counter[name], { count: 2, amount: 20 });
    }
    counter?.held.push({ ...hold, hold_id: 'lead9:1' });
    const violations = check(evidence);
    expect(violations.map(({ rule }) => rule)).toEqual(['leftover_hold']);
    expect(violations[0]?.what).toContain('still has 2 holds');
    expect(violations[0]?.what).toContain('of which 1 take a slot');
  });

  it('counter_off: a hold for a row that is counted on an earlier day counts in the day of its own', () => {
    const run = aRun();
    const { row } = held(run);
    const evidence = run.finish();
    const [counter] = evidence.record.caps;
    const keys = { day: '2026-11-22', week: 'W2026-11-16', month: '2026-11' };
    counter?.held.push({ hold_id: row._id, fence: 2, amount: 10, keys, at: new Date(T0) });
    evidence.record.readAt = T0 + DAY_MS;
    evidence.record.caps.forEach((doc) => (doc.day = { key: keys.day, count: 1, amount: 10 }));
    const off = () => rulesOf(evidence).filter((rule) => rule.startsWith('counter'));
    expect(off()).toEqual([]);
    evidence.record.caps.forEach((doc) => (doc.week.count += 1));
    expect(off()).toEqual(['counter_off']);
  });

  it('counter_amount_off: reports when the count is right and the money is not', () => {
    const run = aRun();
    sold(run);
    const evidence = run.finish();
    evidence.record.caps.forEach((doc) => (doc.day.amount += 1));
    const [violation, ...others] = check(evidence);
    expect(others).toEqual([]);
    expect(violation?.rule).toBe('counter_amount_off');
    expect(violation?.total).toBe('money off');
  });
});
