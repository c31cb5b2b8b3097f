import { describe, expect, it } from '@jest/globals';
import type { TrailEntry } from '../../../src/leads/rules/trail.js';
import { duplicate, sold, soldAgain, soldToBoth } from '../checker/endings.js';
import { aCampaign, aRun, T0, type StoryRun } from '../checker/stories.js';
import { rareStates } from './rareStates.js';

/** The states that were seen, with their counts. */
const seen = (run: StoryRun, ...names: string[]): Record<string, number> =>
  Object.fromEntries(
    rareStates(run.finish())
      .filter(({ state, count }) => count > 0 && names.some((name) => state.includes(name)))
      .map(({ state, count }) => [state, count]),
  );

const entry = (
  step: TrailEntry['step'],
  result: string,
  more: Partial<TrailEntry>,
): TrailEntry => ({
  at: new Date(T0 + 500),
  step,
  result,
  ...more,
});

describe('rare states of the ways to sell', () => {
  it('sees further sales, the runs that made them, and leads sold to fewer buyers than allowed', () => {
    const run = aRun([aCampaign({ max_sells: 2 })]);
    const { further } = soldToBoth(run);
    Object.assign(further, { run: 'run-2', tries: 2 });
    sold(run).lead.trail.push(entry('caps', 'full', { reason: 'supplier_cap' }));
    expect(seen(run, 'sold to', 'further', 'no more')).toEqual({
      'sold to two buyers': 1,
      'a further sale made by a later run': 1,
      'a further sale after waiting for its buyer': 1,
      'sold to fewer buyers than allowed': 1,
      'sold, and to no more by the limit of its supplier': 1,
    });
  });

  it('sees turns, and leads for closed buyers', () => {
    const run = aRun();
    const turn = entry('routing', 'turn', { buyer_id: 'a', detail: { last: { a: 0, b: 0 } } });
    const { lead } = sold(run);
    lead.trail.push(turn, { ...turn, buyer_id: 'b', detail: { last: { a: 1, b: 0 } } });
    lead.trail.push(entry('routing', 'skipped', { reason: 'closed' }));
    lead.trail.push(entry('closing', 'waiting', { reason: 'closed' }));
    run.fault({ type: 'delete_temporal', at: T0 + 600 });
    expect(seen(run, 'hours', 'turn', 'closed')).toEqual({
      'waited for opening hours': 1,
      'waited for opening hours, and was sold': 1,
      "Temporal's store lost while the lead waited for opening hours": 1,
      'passed by a buyer that was closed': 1,
      'a turn taken among equals': 1,
      'a second turn taken by one lead': 1,
    });
  });

  it('sees prices in answers, and budgets that they exceeded or filled', () => {
    const campaign = aCampaign();
    campaign.buyers.forEach((link) =>
      Object.assign(link, { names_price: true, caps: { total_budget: 11 } }),
    );
    const run = aRun([campaign]);
    const { lead, row } = sold(run);
    row.price = 12;
    lead.sales.forEach((sale) => (sale.price = 12));
    lead.trail.push(entry('caps', 'full', { buyer_id: 'assuming', reason: 'buyer_cap' }));
    expect(seen(run, 'price', 'budget')).toEqual({
      'booked at a price that the answer named': 1,
      'a budget passed by what answers named': 1,
      "refused by a buyer's budget": 1,
    });
  });

  it('sees the results of repeats', () => {
    const run = aRun([aCampaign({ on_duplicate: 'ROUTE_TO_ORIGINAL' })]);
    const first = sold(run);
    soldAgain(run, first);
    Object.assign(duplicate(run, first).lead, { status: 'UNMATCHED', route_to: 'holding' });
    Object.assign(duplicate(run, first).lead, { status: 'UNMATCHED' });
    expect(seen(run, 'repeat')).toEqual({
      'a repeat sold to the buyer of its original': 1,
      'a repeat that the buyer of its original did not get': 1,
      'a repeat of a lead that nobody had yet': 1,
    });
  });
});
