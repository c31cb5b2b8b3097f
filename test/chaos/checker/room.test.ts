import { describe, it, expect } from '@jest/globals';
import type { CapLimits } from '../../../src/account/rules/capLimits.js';
import { sold } from './endings.js';
import { aCampaign, aRun, rulesOf, type StoryRun } from './stories.js';

/** A buyer at 10 whose answers name the price. */
function naming(caps: CapLimits): StoryRun {
  const campaign = aCampaign();
  const link = campaign.buyers.find(({ buyer_id }) => buyer_id === 'holding');
  if (link) Object.assign(link, { names_price: true, caps });
  return aRun([campaign]);
}

/** Sold at the buyer's price, each sale the given number of seconds after the one before. */
function soldFor(run: StoryRun, price: number, at: number): void {
  const { lead, row, request } = sold(run, 'holding', { at });
  for (const line of run.evidence.journal) if (line.request === request) line.price = price;
  Object.assign(lead, { price, profit: price - 4 });
  for (const sale of lead.sales) Object.assign(sale, { price });
  row.price = price;
}

const T = Date.parse('2026-11-21T12:00:00Z');

describe('a price that the answer names', () => {
  it("is right when it is the buyer's price, and price_off when it is not", () => {
    const run = naming({});
    soldFor(run, 13, T);
    expect(rulesOf(run.finish())).toEqual([]);
    run.evidence.journal.forEach((line) => (line.price = 12));
    expect(rulesOf(run.finish())).toEqual(['price_off']);
  });

  it("is the link's where the answer named none", () => {
    const run = naming({});
    sold(run);
    expect(rulesOf(run.finish())).toEqual([]);
  });
});

describe('sent_without_room', () => {
  it("is silent when a higher price exceeds a budget that had room for the link's price", () => {
    const run = naming({ total_budget: 20 });
    soldFor(run, 10, T);
    soldFor(run, 15, T + 60_000);
    expect(rulesOf(run.finish())).toEqual([]);
  });

  it('is silent when two were on their way at the same time', () => {
    const run = naming({ total_budget: 20 });
    soldFor(run, 15, T);
    soldFor(run, 15, T + 100);
    expect(rulesOf(run.finish())).toEqual([]);
  });

  it('reports when what was named before had left no room', () => {
    const run = naming({ total_budget: 20 });
    soldFor(run, 15, T);
    soldFor(run, 10, T + 60_000);
    expect(rulesOf(run.finish())).toEqual(['sent_without_room']);
  });

  it('allows a lease that died while recording a sale the time until its counter is corrected', () => {
    const run = naming({ total_budget: 20 });
    run.fault({ type: 'kill', targets: ['worker'], at: T + 300 });
    soldFor(run, 15, T);
    soldFor(run, 10, T + 60_000);
    expect(rulesOf(run.finish())).toEqual([]);
    soldFor(run, 10, T + 250_000);
    expect(rulesOf(run.finish())).toContain('sent_without_room');
  });

  it.each([
    ['before it', { type: 'kill', targets: ['worker'], at: T - 60_000 }],
    ['after it', { type: 'kill', targets: ['worker'], at: T + 40_000 }],
    ['of a process that books nothing', { type: 'kill', targets: ['api'], at: T + 300 }],
  ])('allows nothing for a fault %s', (_name, fault) => {
    const run = naming({ total_budget: 20 });
    run.fault(fault);
    soldFor(run, 15, T);
    soldFor(run, 10, T + 60_000);
    expect(rulesOf(run.finish())).toEqual(['sent_without_room']);
  });

  it('allows no more than what was in flight, however much was recorded', () => {
    const run = naming({ total_budget: 150 });
    run.fault({ type: 'kill', targets: ['worker'], at: T - 30_000 });
    for (let n = 0; n < 15; n++) soldFor(run, 15, T + n * 11_000);
    expect(rulesOf(run.finish())).toEqual(['sent_without_room']);
  });

  it('leaves the limit of what the link says to the rules about caps', () => {
    const run = naming({ total_budget: 19 });
    soldFor(run, 12, T);
    soldFor(run, 12, T + 100);
    expect(rulesOf(run.finish())).toEqual(['sold_over_cap', 'taken_over_cap']);
  });

  it('lets cheaper answers make room', () => {
    const run = naming({ total_budget: 20 });
    soldFor(run, 5, T);
    soldFor(run, 5, T + 60_000);
    soldFor(run, 10, T + 120_000);
    expect(rulesOf(run.finish())).toEqual([]);
  });
});
