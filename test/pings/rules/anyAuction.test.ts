/** Invariants of every auction. */
import fc from 'fast-check';
import { describe, expect, it } from '@jest/globals';
import { decide } from '../../routing/rules/decide.js';
import type { LiveBid, PingInput } from '../../../src/pings/rules/auction.js';
import { concludePing } from '../../../src/pings/rules/concludePing.js';
import { screenPing } from '../../../src/pings/rules/screenPing.js';
import type { BuyerTerms, Plan } from '../../../src/account/rules/plan.js';
import { aSupplier } from '../../support/builders.js';
import { situations } from '../../routing/rules/situations.js';
import { ping, said, UNIT } from './auctions.js';

describe('any auction', () => {
  const bidsOf = (answers: readonly (number | null)[], input: PingInput): Map<string, LiveBid> =>
    new Map(
      input.plan.buyers.flatMap(({ buyer_id }, n): [string, LiveBid][] => {
        const price = answers[n];
        return price == null ? [] : [[buyer_id, said(price)]];
      }),
    );
  const auctions = fc
    .record({
      situation: situations,
      asked: fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }),
      answers: fc.array(fc.option(fc.integer({ min: 0, max: 30 * UNIT })), {
        minLength: 5,
        maxLength: 5,
      }),
    })
    .map(({ situation: { plan, lead, around }, asked, answers }) => {
      const buyers = plan.buyers.map((terms, n) => (asked[n] ? { ...terms, ping } : terms));
      const original = around.original ?? null;
      const input: PingInput = { ...around, ...lead, plan: { ...plan, buyers }, original };
      return { input, live: bidsOf(answers, input), turns: around.turns };
    });

  it('has each buyer of the plan once: bidding, or with a reason', () => {
    fc.assert(
      fc.property(auctions, ({ input, live, turns }) => {
        const opened = screenPing(input);
        const result =
          opened.kind === 'open' ? concludePing({ ...input, opened, live, turns }) : opened;
        const general = ['paused', 'filtered', 'suppressed', 'duplicate'];
        if (result.kind === 'refused' && general.includes(result.reason)) return;
        const bids = result.kind === 'accepted' ? result.bids : [];
        const named = [...bids, ...result.unbid].map(({ buyer_id }) => buyer_id).toSorted();
        expect(named).toEqual(input.plan.buyers.map(({ buyer_id }) => buyer_id).toSorted());
        const nets = bids.map(({ net }) => net);
        expect(nets).toEqual(nets.toSorted((a, b) => b - a));
        expect(structuredClone(result)).toEqual(result);
      }),
    );
  });

  it('of static prices bids exactly where a post would be offered', () => {
    let accepted = 0;
    fc.assert(
      fc.property(situations, fc.boolean(), ({ plan: any, lead, around }, isPlain) => {
        // In half of them only the buyers can prevent a bid.
        const original = isPlain ? null : around.original;
        if (original?.resend) return;
        // The post must record the price that the ping rounded, and no lead may wait.
        const paid =
          (any.suppliers.s1?.cost_per_lead ?? 0) -
          ((any.suppliers.s1?.cost_per_lead ?? 0) % 10_000);
        const s1 = aSupplier({ ...any.suppliers.s1, cost_mode: 'FIXED', cost_per_lead: paid });
        // A campaign budget without room for the best buyer ends a post; a ping takes the next one for less.
        const counts = Object.entries(any.caps).filter(([name]) => name.endsWith('_cap'));
        const open = isPlain ? { caps: {}, filters: null } : { caps: Object.fromEntries(counts) };
        const source = isPlain ? { ...s1, caps: {} } : s1;
        const buyers = any.buyers.map((terms): BuyerTerms => ({
          ...terms,
          when_unavailable: 'NEXT',
          when_closed: 'SKIP',
        }));
        const method = { distribution_method: 'HIGHEST_BID' as const, max_sells: 1 };
        const plan: Plan = { ...any, ...method, ...open, suppliers: { s1: source }, buyers };
        const stands = { ...around, original, hits: isPlain ? [] : around.hits, bids: {} };
        const input: PingInput = { ...stands, ...lead, plan };
        const opened = screenPing(input);
        const result =
          opened.kind === 'open'
            ? concludePing({ ...input, opened, live: new Map(), turns: around.turns })
            : opened;
        const post = decide(lead, plan, stands);
        expect(result.kind === 'accepted').toBe(post.status === 'ACCEPTED');
        if (result.kind !== 'accepted') return;
        accepted += 1;
        expect(post.offers[0]?.buyer_id).toBe(result.bids[0]?.buyer_id);
      }),
      // One in eight is accepted, and those are counted below.
      { numRuns: 500 },
    );
    expect(accepted).toBeGreaterThan(20);
  });
});
