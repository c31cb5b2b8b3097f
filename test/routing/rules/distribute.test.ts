import { describe, expect, it } from '@jest/globals';
import type { BuyerTerms, Plan } from '../../../src/account/rules/plan.js';
import type { DeliveryVerdict } from '../../../src/deliveries/rules/delivery.js';
import { emptyCapState, type Counters } from '../../../src/routing/rules/caps.js';
import {
  distribute,
  endingOf,
  type Facts,
  type Walk,
} from '../../../src/routing/rules/distribute.js';
import { NO_TURNS } from '../../../src/routing/rules/turns.js';
import { aBuyer, aPlan, aSupplier } from '../../support/builders.js';

const NOW = new Date('2026-11-21T12:00:00Z');
type Result = DeliveryVerdict['result'];

const buyers = (...more: Partial<BuyerTerms>[]) =>
  more.map((one, n) => aBuyer({ buyer_id: `b${n + 1}`, priority: n + 1, ...one }));

/** Walks through these buyers; those that are not named accept. */
function walked(
  candidates: BuyerTerms[],
  answers: Record<string, Result> = {},
  { plan = {}, full = {} }: { plan?: Partial<Plan>; full?: Partial<Record<string, true>> } = {},
) {
  const counters: Counters = { ...emptyCapState(), total: { key: 'all', count: 1, amount: 0 } };
  const asked: string[] = [];
  const facts: Facts = {
    now: () => NOW,
    turns: () => NO_TURNS,
    openUntil: (id) => (answers[id] === undefined && full[id] ? new Date(Number(NOW) + 1) : null),
    counters: () => counters,
    answer: ({ terms }) => {
      asked.push(terms.buyer_id);
      return { result: answers[terms.buyer_id] ?? 'accepted', reason: 'said', entry: null };
    },
  };
  const whole = aPlan({ buyers: candidates, ...plan });
  const walk: Walk = {
    plan: whole,
    supplier: aSupplier(),
    isTest: false,
    candidates,
    passed: [],
    sold: 0,
    trail: [],
  };
  const end = distribute(walk, facts);
  const trail = walk.trail.map(({ step, result, buyer_id, reason }) =>
    [step, result, buyer_id, reason].filter(Boolean).join(' '),
  );
  return { end, asked, trail, sold: walk.sold };
}

describe('the walk of a lead', () => {
  it('ends with its sales, to as many buyers as the plan allows', () => {
    const { end, asked, trail } = walked(buyers({}, {}, {}), {}, { plan: { max_sells: 2 } });
    expect(end).toEqual({ kind: 'sold' });
    expect(asked).toEqual(['b1', 'b2']);
    expect(trail).toEqual(['closing ACCEPTED b1', 'closing ACCEPTED b2']);
  });

  it('goes on after a refusal, and is unsold when no buyer is left, with its earlier sales', () => {
    expect(walked(buyers({}, {}), { b1: 'rejected' })).toMatchObject({
      asked: ['b1', 'b2'],
      sold: 1,
    });
    expect(walked(buyers({}), { b1: 'rejected' })).toEqual({
      end: { kind: 'unsold' },
      asked: ['b1'],
      trail: [],
      sold: 0,
    });
    const one = walked(buyers({}, {}), { b2: 'rejected' }, { plan: { max_sells: 2 } });
    expect(one).toMatchObject({ end: { kind: 'unsold' }, sold: 1 });
  });

  it('waits for a buyer whose answer is unknown', () => {
    const { end, asked, trail } = walked(buyers({}, {}), { b1: 'unknown' });
    expect(end).toMatchObject({ kind: 'waiting', terms: { buyer_id: 'b1' }, reason: 'said' });
    expect(asked).toEqual(['b1']);
    expect(trail).toEqual(['closing waiting b1 said']);
  });

  it('asks the others when a buyer cannot take it, and then waits for the best of these', () => {
    const answers = { b1: 'not_taken', b2: 'not_taken' } as const;
    expect(walked(buyers({}, {}, {}), answers)).toMatchObject({
      asked: ['b1', 'b2', 'b3'],
      sold: 1,
    });
    expect(walked(buyers({}, {}), answers)).toMatchObject({
      end: { kind: 'waiting', terms: { buyer_id: 'b1' }, reason: 'said' },
      trail: ['closing waiting b1 said'],
    });
    // A buyer that refused is not waited for.
    expect(walked(buyers({}, {}), { b1: 'rejected', b2: 'not_taken' }).end).toMatchObject({
      terms: { buyer_id: 'b2' },
    });
  });

  it('asks no other buyer where its leads wait', () => {
    const waits = buyers({ when_unavailable: 'WAIT' }, {});
    expect(walked(waits, { b1: 'not_taken' })).toMatchObject({
      end: { kind: 'waiting', terms: { buyer_id: 'b1' } },
      asked: ['b1'],
    });
  });

  it('passes a buyer over whose breaker is open, and waits for it when nobody else takes the lead', () => {
    const full = { b1: true } as const;
    expect(walked(buyers({}, {}), {}, { full })).toMatchObject({
      asked: ['b2'],
      trail: ['routing skipped b1 breaker_open', 'closing ACCEPTED b2'],
    });
    expect(walked(buyers({}, {}), { b2: 'rejected' }, { full }).end).toMatchObject({
      kind: 'waiting',
      terms: { buyer_id: 'b1' },
      reason: 'breaker_open',
    });
  });

  it('goes past a full buyer, and names the buyer', () => {
    expect(walked(buyers({ caps: { total_cap: 1 } }, {}))).toMatchObject({
      asked: ['b2'],
      trail: ['caps full b1 buyer_cap', 'closing ACCEPTED b2'],
    });
  });

  it('ends at a full campaign, and asks nobody', () => {
    expect(walked(buyers({}, {}), {}, { plan: { caps: { total_cap: 1 } } })).toEqual({
      end: { kind: 'unsold' },
      asked: [],
      trail: ['caps full campaign_cap'],
      sold: 0,
    });
  });

  it('waits for nobody in a full campaign', () => {
    const stopped = { plan: { caps: { total_cap: 1 } }, full: { b1: true } as const };
    expect(walked(buyers({ when_unavailable: 'WAIT' }, {}), {}, stopped)).toEqual({
      end: { kind: 'unsold' },
      asked: [],
      trail: ['routing skipped b1 breaker_open', 'caps full campaign_cap'],
      sold: 0,
    });
  });
});

describe('the ending of a walk', () => {
  it.each([
    ['unsold', 0, { status: 'UNMATCHED', reason: 'no_buyer' }],
    ['unsold', 1, { status: 'UNMATCHED', reason: 'no_more_buyers' }],
    ['capped', 0, { status: 'REJECTED', reason: 'supplier_capped' }],
    ['sold', 1, null],
    ['waiting', 0, null],
  ] as const)('%s with %s sales is %j', (kind, sold, ending) => {
    expect(endingOf(kind, sold)).toEqual(ending);
  });
});
