import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  findCrowdedOut,
  emptyCapState,
  grant,
  findFullCap,
  type CapCandidate,
  type CapState,
  type AdoptedHold,
  type CapReservation,
  type ReservationRef,
} from '../../../src/routing/rules/caps.js';
import { adopt, commit, release } from '../rules/capModel.js';
import type { CapLimits } from '../../../src/account/rules/capLimits.js';
import type { WindowKeys } from '../../../src/fields/windowKeys.js';
import { buyerCap, createCapStore, type CapStore } from '../../../src/routing/store/caps.js';
import { anyMostHeld, inOrder } from '../rules/capHistories.js';
import { openDatabase, type TestDatabase } from '../../support/database.js';

const saturday: WindowKeys = { day: '2026-11-21', week: 'W2026-11-16', month: '2026-11' };
const sunday: WindowKeys = { ...saturday, day: '2026-11-22' };
const monday: WindowKeys = { day: '2026-11-23', week: 'W2026-11-23', month: '2026-11' };
const december: WindowKeys = { day: '2026-12-01', week: 'W2026-11-30', month: '2026-12' };
const DAYS = [saturday, sunday, monday, december];

const asking = (...ids: string[]): CapCandidate[] =>
  ids.map((hold_id) => ({ hold_id, fence: 1, amount: 10 }));
const refs = (...ids: string[]): ReservationRef[] => ids.map((hold_id) => ({ hold_id, fence: 1 }));

interface Asked {
  lead: number;
  amount: number;
  leads: 0 | 1;
}

type Step =
  | { kind: 'reserve'; day: number; fence: number; asked: Asked[] }
  | {
      kind: 'commit' | 'release' | 'adopt';
      fence: number;
      leads: number[];
      /** The amount that a commit records in place of the reserved one. */
      booked?: number;
      /** Whether a commit names the windows and the leads of the rows. */
      ofRows: boolean;
    };

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
  day: fc.nat({ max: DAYS.length - 1 }),
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
);
const maybe = (...values: number[]) => fc.option(fc.constantFrom(...values), { nil: null });
const limits: fc.Arbitrary<CapLimits> = fc.record({
  daily_cap: maybe(1, 2, 3),
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

describe('caps', () => {
  let database: TestDatabase;
  let caps: CapStore;
  let links = 0;
  const aLink = () => buyerCap('campaign', `buyer-${++links}`);
  const stateOf = async (id: string): Promise<CapState> => {
    const doc = await database.collections.caps.findOne({ _id: id });
    const { day, week, month, total, held } = doc ?? emptyCapState();
    return { day, week, month, total, held: held.map(withoutTime) };
  };

  beforeAll(async () => {
    database = await openDatabase();
    caps = createCapStore(database.collections.caps);
  });
  afterAll(() => database.drop());

  it('grants, counts, commits, releases and adopts as the model does', async () => {
    await fc.assert(
      fc.asyncProperty(
        limits,
        fc.array(step, { minLength: 4, maxLength: 14 }),
        anyMostHeld,
        async (limited, steps, maxHeld) => {
          const id = aLink();
          const bounded = createCapStore(database.collections.caps, maxHeld);
          let model = emptyCapState();
          // Parked leads: their reservations were committed, and their rows name the windows they are counted in.
          const parked = new Map<string, Omit<AdoptedHold, 'hold_id' | 'fence' | 'of_row'>>();
          for (const one of steps) {
            if (one.kind === 'reserve') {
              const keys = DAYS[one.day] ?? saturday;
              const candidates = one.asked.map(({ lead: n, amount: money, leads }) => ({
                hold_id: `lead-${n}`,
                fence: one.fence,
                amount: parked.get(`lead-${n}`)?.amount ?? money,
                leads: parked.get(`lead-${n}`)?.leads ?? leads,
                counted: parked.get(`lead-${n}`)?.keys ?? null,
                row_fence: parked.get(`lead-${n}`)?.row_fence,
              }));
              const expected = grant(model, limited, keys, candidates, maxHeld);
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
            expect(inOrder(await stateOf(id))).toEqual(inOrder(model));
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it('grants exactly 100 reservations to 1,008 concurrent candidates in 21 groups', async () => {
    const id = aLink();
    const groups = Array.from({ length: 21 }, (_, group) =>
      asking(...Array.from({ length: 48 }, (_unused, n) => `${group}:${n}`)),
    );
    const grants = await Promise.all(
      groups.map((candidates) =>
        caps.reserve({ id, limits: { daily_cap: 100 }, keys: saturday, candidates }),
      ),
    );
    const granted = grants.flatMap(({ held }) => [...held.keys()]);
    expect(granted).toHaveLength(100);
    expect(new Set(granted).size).toBe(100);
    const state = await stateOf(id);
    expect(state.day).toEqual({ key: saturday.day, count: 100, amount: 1_000 });
    expect(state.held).toHaveLength(100);
  });

  it('never reopens an old window for a clock that is behind', async () => {
    const id = aLink();
    const limited = { daily_cap: 1 };
    const ask = async (keys: WindowKeys, hold_id: string) =>
      (await caps.reserve({ id, limits: limited, keys, candidates: asking(hold_id) })).held;
    expect([...(await ask(saturday, 'first')).keys()]).toEqual(['first']);
    expect([...(await ask(monday, 'second')).keys()]).toEqual(['second']);
    expect([...(await ask(saturday, 'late')).keys()]).toEqual([]);
    expect([...(await ask(monday, 'third')).keys()]).toEqual([]);
    expect((await stateOf(id)).day).toEqual({ key: monday.day, count: 1, amount: 10 });
  });

  it('counts a late clock in the open window, and reports that', async () => {
    const id = aLink();
    const limited = { daily_cap: 2 };
    await caps.reserve({ id, limits: limited, keys: monday, candidates: asking('in time') });
    const { held } = await caps.reserve({
      id,
      limits: limited,
      keys: saturday,
      candidates: asking('late'),
    });
    expect(held).toEqual(new Map([['late', monday]]));
    await caps.release(id, refs('late'));
    expect((await stateOf(id)).day).toEqual({ key: monday.day, count: 1, amount: 10 });
  });

  it('changes nothing when a reservation, a commit or a release is repeated', async () => {
    const id = aLink();
    const request = { id, limits: { daily_cap: 3 }, keys: saturday, candidates: asking('a', 'b') };
    const first = await caps.reserve(request);
    const reserved = await stateOf(id);
    expect(await caps.reserve(request)).toEqual(first);
    expect(await stateOf(id)).toEqual(reserved);

    await caps.release(id, refs('a'));
    const released = await stateOf(id);
    await caps.release(id, refs('a', 'nobody'));
    expect(await stateOf(id)).toEqual(released);
    expect(released.day.count).toBe(1);

    await caps.commit(id, refs('b'));
    const committed = await stateOf(id);
    await caps.commit(id, refs('b', 'nobody'));
    await caps.release(id, refs('b'));
    expect(await stateOf(id)).toEqual(committed);
    expect(committed).toMatchObject({ day: { count: 1 }, total: { count: 1 }, held: [] });
  });

  it('names the time of each hold by the clock of the database', async () => {
    const id = aLink();
    await caps.reserve({ id, limits: {}, keys: saturday, candidates: asking('a') });
    const doc = await database.collections.caps.findOne({ _id: id });
    expect(Math.abs(Number(doc?.held[0]?.at) - Date.now())).toBeLessThan(60_000);
  });

  it('does not change a link that was never counted', async () => {
    const id = aLink();
    await caps.commit(id, refs('a'));
    await caps.release(id, refs('a'));
    await caps.adopt(id, [{ hold_id: 'a', fence: 1, amount: 10, keys: saturday }]);
    expect(await database.collections.caps.findOne({ _id: id })).toBeNull();
  });
});
