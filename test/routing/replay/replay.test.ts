import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { decide } from '../rules/decide.js';
import {
  distribute,
  endingOf,
  saleEntry,
  type Facts,
  type Walk,
} from '../../../src/routing/rules/distribute.js';
import { emptyCapState } from '../../../src/routing/rules/caps.js';
import { grant } from '../rules/capModel.js';
import { SUSPECT_REASONS } from '../../../src/leads/rules/origin.js';
import { receivedEntry, type TrailEntry } from '../../../src/leads/rules/trail.js';
import { applyLocks, pingEntries } from '../../../src/leads/rules/locks.js';
import { replayLead, type StoredLead } from '../../../src/routing/replay/replayLead.js';
import { resumedEntry } from '../../../src/routing/replay/replayFacts.js';
import { screenLead } from '../../../src/routing/rules/screen.js';
import { windowKeys } from '../../../src/fields/windowKeys.js';
import { aBuyer, aPlan, aSupplier, aWebhook, someFields } from '../../support/builders.js';
import { NOW, pinged, situations, ZONE, type Situation } from '../rules/situations.js';

type Result = 'accepted' | 'rejected' | 'not_taken' | 'unknown';
const results = fc.array(
  fc.constantFrom<Result>('accepted', 'rejected', 'rejected', 'not_taken', 'unknown'),
  { minLength: 5, maxLength: 5 },
);

/** A trail as the service writes it: at its own times, with answers of real buyers. */
function live({ lead, plan: bare, around }: Situation, answers: Result[]): StoredLead {
  const plan = applyLocks(bare, lead);
  const screened = screenLead({ lead, plan, now: NOW, hits: around.hits });
  const redeemed = lead.ping ? pingEntries(lead.ping, NOW) : [];
  const trail: TrailEntry[] = [receivedEntry(plan.version, NOW), ...redeemed, ...screened.trail];
  const stored = { ...lead, plan_version: plan.version, trail };
  const close = (result: string, reason: string): StoredLead => ({
    ...stored,
    trail: [...walk.trail, { at: NOW, step: 'closing', result, reason }],
  });
  const supplier = plan.suppliers.s1;
  if (!supplier) throw new Error('no supplier');
  const walk: Walk = {
    plan,
    supplier,
    isTest: lead.is_test,
    trail,
    passed: [],
    sold: 0,
    candidates: screened.kind === 'pass' ? [...screened.candidates] : [],
  };
  if (screened.kind === 'rejected') return close('REJECTED', screened.reason);
  const left = [...answers];
  let ms = 0;
  const keys = windowKeys(NOW, ZONE);
  const facts: Facts = {
    now: () => new Date(Number(NOW) + ++ms),
    turns: () => around.turns ?? { seq: 0, last: {} },
    openUntil: (id) => around.openUntil?.[id] ?? null,
    counters(scope, { terms }) {
      const { buyers, ...others } = around.counters ?? {};
      const state = scope === 'buyer' ? buyers?.[terms.buyer_id] : others[scope];
      return grant(state ?? emptyCapState(), {}, keys, []).state;
    },
    answer({ terms: { buyer_id } }) {
      const [result, at] = [left.shift() ?? 'rejected', new Date(Number(NOW) + ++ms)];
      const detail = { asked_at: new Date(Number(NOW) + ms - 1) };
      const entry = { at, step: 'delivery' as const, result, buyer_id, reason: 'said', detail };
      return { result, reason: 'said', entry };
    },
  };
  const end = distribute(walk, facts);
  if (end.kind === 'waiting') return { ...stored, pending_at: NOW };
  const ending = endingOf(end.kind, walk.sold);
  if (!ending) return stored;
  return close(walk.sold > 0 ? 'ACCEPTED' : ending.status, ending.reason);
}

/** A buyer that was unavailable or full, and without room for another reason too: it could not get the lead anyway. */
const wasFullBesides = (trail: readonly TrailEntry[], lost: number): boolean =>
  ['skipped', 'full'].includes(trail[lost]?.result ?? '') &&
  trail.some(
    ({ step, buyer_id = trail[lost]?.buyer_id }, n) =>
      n > lost && step === 'caps' && buyer_id === trail[lost]?.buyer_id,
  );

const any = fc.oneof(situations, pinged);

describe('a lead that was resumed after its answer was stored', () => {
  it('goes to the next buyer, whose answer is its own', () => {
    const asked = (buyer_id: string, on_unknown: 'fail_over' | 'assume_accepted') =>
      aBuyer({ buyer_id, delivery: aWebhook({ on_unknown }) });
    const plan = aPlan({
      suppliers: { s1: aSupplier() },
      buyers: [asked('b1', 'fail_over'), asked('b2', 'assume_accepted')],
    });
    const at = (ms: number) => new Date(Number(NOW) + ms);
    const gone = { at: at(1), buyer_id: 'b1', state: 'abandoned', said: 'no answer in time' };
    const said = { step: 'delivery' as const, result: 'unknown', reason: 'connection reset' };
    const trail = [
      receivedEntry(plan.version, NOW),
      resumedEntry({ ...gone, tried: ['b1'], missed: [], sold: 0, hits: [] }),
      { ...said, at: at(3), buyer_id: 'b2', detail: { asked_at: at(2) } },
      saleEntry({ ...aBuyer(), buyer_id: 'b2' }, at(3)),
    ];
    const lead = { fields: someFields(), is_test: false, seed: 'l1', supplier_id: 's1' };
    const verdict = replayLead({ ...lead, plan_version: plan.version, trail }, () => plan);
    expect(verdict).toEqual({ kind: 'equal', entries: 4 });
  });
});

describe('a lead whose run died after a sale, while it asked another buyer', () => {
  it('continues from the sale, as a later run resumed it', () => {
    const buyers = ['b1', 'b2', 'b3'].map((buyer_id, n) => aBuyer({ buyer_id, priority: n + 1 }));
    const plan = aPlan({ suppliers: { s1: aSupplier() }, buyers, max_sells: 2 });
    const lead = { fields: someFields(), is_test: false, seed: 'l1', supplier_id: 's1' };
    const at = (ms: number) => new Date(Number(NOW) + ms);
    const screened = screenLead({ lead, plan, now: NOW, hits: [] });
    const soldTo = (buyer_id: string, ms: number): TrailEntry[] => [
      {
        at: at(ms),
        step: 'delivery',
        result: 'accepted',
        buyer_id,
        reason: 'yes',
        detail: { asked_at: at(ms - 1) },
      },
      saleEntry({ ...aBuyer(), buyer_id }, at(ms)),
    ];
    const seen = { said: 'The buyer answered 503', tried: ['b1', 'b2'], sold: 1 };
    const resumed = { at: at(90), buyer_id: 'b2', state: 'failed', missed: [], hits: [], ...seen };
    const trail = [
      receivedEntry(plan.version, NOW),
      ...screened.trail,
      ...soldTo('b1', 10),
      resumedEntry(resumed),
      ...soldTo('b3', 100),
    ];
    const stored = { ...lead, plan_version: plan.version, trail };
    expect(replayLead(stored, () => plan)).toEqual({ kind: 'equal', entries: trail.length });
    const unsold = { ...stored, trail: trail.toSpliced(-4, 1) };
    expect(replayLead(unsold, () => plan)).toMatchObject({ kind: 'differs' });
  });
});

describe('a stored trail', () => {
  it('is reproduced byte for byte from its plan and facts', () => {
    fc.assert(
      fc.property(any, results, (one, answers) => {
        const lead = live(one, answers);
        expect(replayLead(lead, () => one.plan)).toEqual({
          kind: 'equal',
          entries: lead.trail.length,
        });
      }),
    );
  });

  it("of a suspected bot's lead ends there, and is reproduced byte for byte", () => {
    const suspects = fc.constantFrom(...SUSPECT_REASONS);
    fc.assert(
      fc.property(any, suspects, ({ lead: bare, ...rest }, suspect) => {
        const origin = { funnel_id: 'f', version: 1, consent_id: 'c', source: 'direct', suspect };
        const lead = live({ ...rest, lead: { ...bare, origin } }, []);
        expect(lead.trail.slice(-2)).toMatchObject([
          { step: 'origin', result: 'suspected', reason: suspect },
          { step: 'closing', result: 'REJECTED', reason: 'suspected_bot' },
        ]);
        expect(replayLead(lead, () => rest.plan)).toEqual({
          kind: 'equal',
          entries: lead.trail.length,
        });
      }),
    );
  });

  it('is the same, whatever happens to the lead afterwards', () => {
    fc.assert(
      fc.property(any, results, fc.array(fc.nat()), (one, answers, places) => {
        const lead = live(one, answers);
        const outcome = { at: NOW, step: 'outcome' as const, result: 'converted' };
        const trail = places.reduce(
          (told, place) => told.toSpliced(1 + (place % told.length), 0, outcome),
          lead.trail,
        );
        expect(replayLead({ ...lead, trail }, () => one.plan)).toEqual({
          kind: 'equal',
          entries: lead.trail.length,
        });
      }),
    );
  });

  it('differs after a change of the plan that decided the lead', () => {
    fc.assert(
      fc.property(any, results, (one, answers) => {
        const lead = live(one, answers);
        const ranked = lead.trail.find(({ result }) => result === 'ranked');
        fc.pre(ranked !== undefined);
        const buyers = one.plan.buyers.map((terms) => ({ ...terms, status: 'paused' as const }));
        expect(replayLead(lead, () => ({ ...one.plan, buyers }))).toMatchObject({
          kind: 'differs',
        });
      }),
    );
  });

  it('differs after the loss of any of its entries except the last', () => {
    fc.assert(
      fc.property(any, results, fc.nat(), (one, answers, at) => {
        const lead = live(one, answers);
        fc.pre(lead.trail.length > 2);
        const lost = 1 + (at % (lead.trail.length - 2));
        fc.pre(!wasFullBesides(lead.trail, lost));
        const trail = lead.trail.filter((_, n) => n !== lost);
        expect(replayLead({ ...lead, trail }, () => one.plan)).toMatchObject({ kind: 'differs' });
      }),
    );
  });

  it('names the entry at which it differs from the replay', () => {
    const [one] = fc.sample(situations.filter(isSold), { seed: 1, numRuns: 1 });
    if (!one) throw new Error('no sample');
    const lead = live(one, ['accepted']);
    const index = lead.trail.findIndex(({ step }) => step === 'delivery');
    const trail = lead.trail.map((entry, n) =>
      n === index ? { ...entry, buyer_id: 'somebody else' } : entry,
    );
    expect(replayLead({ ...lead, trail }, () => one.plan)).toMatchObject({
      kind: 'differs',
      index,
      stored: { buyer_id: 'somebody else' },
      again: undefined,
    });
  });

  it('cannot be replayed without the plan that it names', () => {
    const [one] = fc.sample(situations, 1);
    if (!one) throw new Error('no sample');
    expect(() => replayLead(live(one, []), () => undefined)).toThrow('Plan version 1');
  });
});

const isSold = ({ lead, plan, around: { bids: _none, ...around } }: Situation): boolean =>
  plan.max_sells === 1 && !around.original && decide(lead, plan, around).offers.length > 0;
