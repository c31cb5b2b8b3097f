/** The counters of links in the database, compared with their model in random steps and histories. */
import { expect } from '@jest/globals';
import fc from 'fast-check';
import type { Collection } from 'mongodb';
import {
  findCrowdedOut,
  emptyCapState,
  findFullCap,
  type CapCandidate,
  type CapState,
  type AdoptedHold,
  type CapReservation,
} from '../../../src/routing/rules/caps.js';
import { adopt, aged, agedState, commit, grant, release } from '../rules/capModel.js';
import type { CapLimits } from '../../../src/account/rules/capLimits.js';
import type { WindowKeys } from '../../../src/fields/windowKeys.js';
import { countersOf, type CapDoc } from '../../../src/routing/store/capDocs.js';
import { buyerCap, createCapStore } from '../../../src/routing/store/caps.js';
import {
  anyLimits,
  anyMostHeld,
  History,
  inOrder,
  modelCounting,
  steps as anyHistory,
  type Counting,
} from '../rules/capHistories.js';

const saturday: WindowKeys = {
  hour: '2026-11-21T14:00:00Z',
  day: '2026-11-21',
  week: 'W2026-11-16',
  month: '2026-11',
};
const sunday: WindowKeys = { ...saturday, hour: '2026-11-22T14:00:00Z', day: '2026-11-22' };
const monday: WindowKeys = {
  hour: '2026-11-23T14:00:00Z',
  day: '2026-11-23',
  week: 'W2026-11-23',
  month: '2026-11',
};
const december: WindowKeys = {
  hour: '2026-12-01T14:00:00Z',
  day: '2026-12-01',
  week: 'W2026-11-30',
  month: '2026-12',
};
/** In a later hour of Saturday. */
const evening: WindowKeys = { ...saturday, hour: '2026-11-21T22:00:00Z' };
const TIMES = [saturday, evening, sunday, monday, december];

interface Asked {
  lead: number;
  amount: number;
  leads: 0 | 1;
}

type Step =
  | { kind: 'reserve'; at: number; fence: number; asked: Asked[] }
  | {
      kind: 'commit' | 'release' | 'adopt';
      fence: number;
      leads: number[];
      /** The amount that a commit records in place of the reserved one. */
      booked?: number;
      /** Whether a commit names the windows and the leads of the rows. */
      ofRows: boolean;
    }
  /** All that is stored is of a release that counted no hours. */
  | { kind: 'upgrade' };

/** Few, so that the steps of a sequence involve the same leads. */
const LEADS = 4;
const lead = fc.nat({ max: LEADS - 1 });
/** Includes amounts above 2^31, like real money in micro-units. */
const amount = fc.constantFrom(0, 1, 25_000_000, 3_000_000_000);
/** The fencing token of a run. */
const fence = fc.integer({ min: 1, max: 3 });
const reserving = fc.record({
  kind: fc.constant('reserve' as const),
  fence,
  at: fc.nat({ max: TIMES.length - 1 }),
  asked: fc.uniqueArray(
    fc.record({ lead, amount, leads: fc.constantFrom(0 as const, 1 as const) }),
    {
      selector: (one) => one.lead,
      minLength: 1,
      maxLength: LEADS,
    },
  ),
});
const ending = fc.record({
  kind: fc.constantFrom('commit' as const, 'release' as const, 'adopt' as const),
  fence,
  leads: fc.uniqueArray(lead, { minLength: 2, maxLength: LEADS }),
  booked: fc.option(amount, { nil: undefined }),
  ofRows: fc.boolean(),
});
const step: fc.Arbitrary<Step> = fc.oneof(
  { arbitrary: reserving, weight: 3 },
  { arbitrary: ending, weight: 2 },
  { arbitrary: fc.constant({ kind: 'upgrade' as const }), weight: 1 },
);
const maybe = (...values: number[]) => fc.option(fc.constantFrom(...values), { nil: null });
const limits: fc.Arbitrary<CapLimits> = fc.record({
  hourly_cap: maybe(0, 1, 2),
  hourly_budget: maybe(25_000_000, 6_000_000_000),
  daily_cap: maybe(1, 2, 3),
  daily_caps: fc.option(
    fc.record({ sat: maybe(0, 1, 2), sun: maybe(0, 1, 3), mon: maybe(2, 3), tue: maybe(0, 4) }),
    { nil: null },
  ),
  weekly_cap: maybe(2, 3),
  monthly_cap: maybe(3),
  total_cap: maybe(3, 9),
  daily_budget: maybe(25_000_000, 6_000_000_000),
  weekly_budget: maybe(50_000_000, 9_000_000_000),
  monthly_budget: maybe(12_000_000_000),
  total_budget: maybe(15_000_000_000),
});

const withoutTime = (hold: CapReservation): CapReservation => ({
  hold_id: hold.hold_id,
  fence: hold.fence,
  amount: hold.amount,
  leads: hold.leads,
  keys: hold.keys,
  of_row: hold.of_row,
  takers: hold.takers,
});

export async function capStateOf(docs: Collection<CapDoc>, id: string): Promise<CapState> {
  const state = (await docs.findOne({ _id: id })) ?? emptyCapState();
  return { ...countersOf(state), held: state.held.map(withoutTime) };
}

/** Makes a link what a release left that counted no hours. */
const ageStored = (docs: Collection<CapDoc>, id: string) =>
  docs.updateOne({ _id: id }, { $unset: { hour: true, 'held.$[].keys.hour': true } });

let links = 0;
const aLink = () => buyerCap('compared', `buyer-${++links}`);

/** Random steps on one link: grants, counts and holds are those of the model after each. */
export async function doAsModel(docs: Collection<CapDoc>, numRuns: number): Promise<void> {
  const caps = createCapStore(docs);
  await fc.assert(
    fc.asyncProperty(
      limits,
      fc.array(step, { minLength: 4, maxLength: 14 }),
      anyMostHeld,
      async (limited, steps, maxHeld) => {
        const id = aLink();
        const bounded = createCapStore(docs, maxHeld);
        let model = emptyCapState();
        // Parked leads: their reservations were committed, and their rows name the windows they are counted in.
        const parked = new Map<string, Omit<AdoptedHold, 'hold_id' | 'fence' | 'of_row'>>();
        for (const one of steps) {
          if (one.kind === 'reserve') {
            const keys = TIMES[one.at] ?? saturday;
            const candidates = one.asked.map(({ lead: n, amount: money, leads }) => ({
              hold_id: `lead-${n}`,
              fence: one.fence,
              amount: parked.get(`lead-${n}`)?.amount ?? money,
              leads: parked.get(`lead-${n}`)?.leads ?? leads,
              counted: parked.get(`lead-${n}`)?.keys ?? null,
              row_fence: parked.get(`lead-${n}`)?.row_fence,
            }));
            const expected = grant(model, { ...limited, maxHeld }, keys, candidates);
            const asked = { id, limits: limited, keys, candidates };
            const { held, crowded, counters } = await bounded.reserve(asked);
            expect(crowded).toEqual(findCrowdedOut(expected.state, limited, candidates));
            expect(new Set(held.keys())).toEqual(new Set(expected.granted));
            for (const hold of expected.state.held) {
              if (held.has(hold.hold_id)) expect(held.get(hold.hold_id)).toEqual(hold.keys);
            }
            // The counters returned with a refusal show the full cap, or a later run has the reservation,
            // or the link holds its maximum of reservations.
            for (const candidate of candidates) {
              const before = model.held.find(({ hold_id }) => hold_id === candidate.hold_id);
              if (held.has(candidate.hold_id) || before) continue;
              const isFull = findFullCap(counters, limited, candidate) !== null;
              expect(crowded.has(candidate.hold_id)).toBe(!isFull);
              // A reservation that is taken over may leave room behind it.
              const isTakenOver = ({ hold_id }: CapCandidate) =>
                model.held.some((hold) => hold.hold_id === hold_id);
              if (!isFull && !candidates.some(isTakenOver))
                expect(model.held.length + candidates.length).toBeGreaterThan(maxHeld);
            }
            model = expected.state;
          } else if (one.kind === 'upgrade') {
            model = agedState(model);
            for (const row of parked.values()) row.keys = aged(row.keys);
            await ageStored(docs, id);
          } else {
            const named = one.leads.map((n) => ({ hold_id: `lead-${n}`, fence: one.fence }));
            const before = model;
            if (one.kind === 'commit') {
              const outcomes = named.map((ref) => ({
                ...ref,
                booked: one.booked,
                keys: one.ofRows ? parked.get(ref.hold_id)?.keys : undefined,
                leads: one.ofRows ? parked.get(ref.hold_id)?.leads : undefined,
                row_fence: one.ofRows ? parked.get(ref.hold_id)?.row_fence : undefined,
              }));
              await caps.commit(id, outcomes);
              model = commit(model, outcomes);
            } else if (one.kind === 'release') {
              await caps.release(id, named);
              model = release(model, named);
            } else {
              const holds = named.flatMap((ref) => {
                const row = parked.get(ref.hold_id);
                return row ? [{ ...ref, ...row }] : [];
              });
              await caps.adopt(id, holds);
              model = before.total.key === '' ? before : adopt(model, holds);
            }
            for (const { hold_id, keys, amount: money, leads, fence: taken } of before.held) {
              if (model.held.some((hold) => hold.hold_id === hold_id)) continue;
              const row = one.ofRows ? parked.get(hold_id)?.keys : undefined;
              const [amount, row_fence] = [one.booked ?? money, taken];
              if (one.kind === 'commit')
                parked.set(hold_id, { keys: row ?? keys, amount, leads, row_fence });
              else parked.delete(hold_id);
            }
          }
          expect(inOrder(await capStateOf(docs, id))).toEqual(inOrder(model));
        }
      },
    ),
    { numRuns },
  );
}

/** Random histories of leads on one link: runs, drains, repairs and operators, across the edges of every window. */
export async function countHistoriesAsModel(
  docs: Collection<CapDoc>,
  numRuns: number,
): Promise<void> {
  const caps = createCapStore(docs);
  await fc.assert(
    fc.asyncProperty(anyLimits, anyHistory, anyMostHeld, async (limited, history, maxHeld) => {
      const id = aLink();
      const model = modelCounting(maxHeld);
      const bounded = createCapStore(docs, maxHeld);
      const both: Counting = {
        async reserve(limit, keys, candidates) {
          const expected = await model.reserve(limit, keys, candidates);
          const { held } = await bounded.reserve({ id, limits: limit, keys, candidates });
          expect(held).toEqual(expected);
          return held;
        },
        async commit(outcomes) {
          await model.commit(outcomes);
          await caps.commit(id, outcomes);
        },
        async release(named) {
          await model.release(named);
          await caps.release(id, named);
        },
        async adopt(holds) {
          await model.adopt(holds);
          await caps.adopt(id, holds);
        },
        state: () => capStateOf(docs, id),
        async age() {
          await model.age();
          await ageStored(docs, id);
        },
      };
      const leads = new History(limited);
      for (const one of history) {
        await leads.play(one, both);
        expect(inOrder(await capStateOf(docs, id))).toEqual(inOrder(await model.state()));
      }
    }),
    { numRuns },
  );
}
