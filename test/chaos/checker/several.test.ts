import { describe, it, expect } from '@jest/globals';
import type { CapLimits } from '../../../src/account/rules/capLimits.js';
import type { CampaignFacts } from '../evidence/evidence.js';
import { check } from './check.js';
import { sold, soldToBoth } from './endings.js';
import { costOf } from './links.js';
import { aCampaign, aRun, aSupplier, rulesOf, type StoryRun } from './stories.js';

/** Each lead may be sold to two buyers. */
const ofTwo = (overrides: Partial<CampaignFacts> = {}): StoryRun =>
  aRun([aCampaign({ max_sells: 2, ...overrides })]);

describe('a lead that is sold to two buyers', () => {
  it('is right where the campaign allows it', () => {
    const run = ofTwo({
      caps: { total_cap: 1 },
      suppliers: [aSupplier({ caps: { total_cap: 1 } })],
    });
    soldToBoth(run);
    expect(rulesOf(run.finish())).toEqual([]);
  });

  it('is sold and accepted too often where it does not', () => {
    const run = aRun();
    soldToBoth(run);
    expect(rulesOf(run.finish())).toEqual(['taken_by_too_many', 'sold_past_max_sells']);
  });

  it('taken_by_too_many: reports a third buyer that accepted it', () => {
    const run = ofTwo();
    const { lead } = soldToBoth(run);
    run.request(run.row(lead, 'assuming', { state: 'rejected' }), 'accepted');
    expect(rulesOf(run.finish())).toContain('taken_by_too_many');
  });

  it('sold_again_to_one_buyer: reports two sales to one', () => {
    const run = ofTwo();
    soldToBoth(run, 'holding', 'holding');
    expect(rulesOf(run.finish())).toContain('sold_again_to_one_buyer');
  });

  it('accept_without_sale: reports when the second sale was not recorded', () => {
    const run = ofTwo();
    const { lead } = soldToBoth(run);
    lead.sales.pop();
    Object.assign(lead, { price: 10, profit: 6 });
    expect(rulesOf(run.finish())).toEqual(['accept_without_sale']);
  });

  it('sale_without_accept: reports when the second buyer never accepted it', () => {
    const run = ofTwo();
    const { further } = soldToBoth(run);
    const own = run.evidence.journal.filter(({ buyer_id }) => buyer_id === further.buyer_id);
    own.forEach((line) => (line.decision = 'rejected'));
    expect(rulesOf(run.finish())).toEqual(['sale_without_accept']);
  });

  it('is held while it waits for its second sale, and undecided when nothing explains it', () => {
    const run = ofTwo();
    const { lead } = sold(run, 'asked_again');
    lead.status = 'SELLING';
    const row = run.row(lead, 'holding', { state: 'unknown', further: true, cost: 0 });
    run.request(row, 'accepted', 'cut');
    expect(rulesOf(run.finish())).toEqual([]);
    row.state = 'parked';
    expect(rulesOf(run.finish())).toEqual(['accept_without_sale', 'lead_undecided']);
  });
});

describe('the money of two sales', () => {
  it('cost_off: reports when the fixed cost is paid twice', () => {
    const run = ofTwo();
    const { lead } = soldToBoth(run);
    for (const sale of lead.sales) sale.cost = 4;
    Object.assign(lead, { cost: 8, profit: 12 });
    const [violation, ...others] = check(run.finish());
    expect(others).toEqual([]);
    expect(violation?.rule).toBe('cost_off');
    expect(violation?.what).toContain('its further sale, to holding for 10, costs 4, not 0');
  });

  it('is a share of each price, where the supplier has a share', () => {
    const share = aSupplier({ cost_mode: 'REVENUE_SHARE', cost: 0, revenue_share: 45 });
    const run = ofTwo({ suppliers: [share] });
    const { lead } = soldToBoth(run);
    expect(rulesOf(run.finish())).toEqual(['cost_off']);
    for (const sale of lead.sales) sale.cost = 5;
    Object.assign(lead, { cost: 10, profit: 10 });
    expect(rulesOf(run.finish())).toEqual([]);
  });

  it.each([
    [10, 45, 5],
    [11_370_000, 33.3333, 3_789_996],
    [3, 50, 2],
    [1, 49.9999, 0],
    [9_007_199_254_000_000, 100, 9_007_199_254_000_000],
  ])('a share of %i is rounded half up: %f percent are %i', (price, revenue_share, cost) => {
    const supplier = aSupplier({ cost_mode: 'REVENUE_SHARE', revenue_share });
    expect(costOf(price, supplier, false)).toBe(cost);
    expect(costOf(price, supplier, true)).toBe(cost);
  });
});

describe('the limits of two sales', () => {
  it.each<[string, Partial<CampaignFacts>, string[]]>([
    ["the campaign's cap of leads, counted once", { caps: { total_cap: 1 } }, []],
    ["the campaign's budget, counted each time", { caps: { total_budget: 20 } }, []],
    [
      "the campaign's budget for one only",
      { caps: { total_budget: 19 } },
      ['sold_over_cap', 'taken_over_cap', 'counter_over_cap'],
    ],
  ])('%s', (_name, campaign, rules) => {
    const run = ofTwo(campaign);
    soldToBoth(run);
    expect(rulesOf(run.finish())).toEqual(rules);
  });

  it('counter_off: reports when a further sale is counted as a lead again', () => {
    const limits: CapLimits = { total_cap: 5 };
    const run = ofTwo({ caps: limits });
    const { further } = soldToBoth(run);
    delete further.further;
    expect(check(run.finish()).map(({ what }) => what)).toContain(
      'counter campaign:c1 counts 2 in total all, but 1 are right (1 leads sold or waiting, 0 holds)',
    );
    expect(rulesOf(run.finish())).toEqual(['counter_off']);
  });
});
