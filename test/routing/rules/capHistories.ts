/** Histories of leads under caps: steps of runs, drains, repairs and operators, across the edges of every window. */
import fc from 'fast-check';
import {
  emptyCapState,
  isStray,
  keyOf,
  RESERVATIONS_MAX,
  type CapCandidate,
  type CapState,
  type AdoptedHold,
  type CapReservation,
  type ReservationRef,
  type Outcome,
} from '../../../src/routing/rules/caps.js';
import { adopt, aged, agedState, commit, grant, release } from './capModel.js';
import { CAP_WINDOWS, type CapWindow } from '../../../src/account/rules/capLimits.js';
import type { CapLimits } from '../../../src/account/rules/capLimits.js';
import { windowKeys, type CountedKeys, type WindowKeys } from '../../../src/fields/windowKeys.js';

/** One link's counters: the model's, or those of the database. */
export interface Counting {
  /** Grants reservations: for each, the windows it is counted in. */
  reserve(
    limits: CapLimits,
    keys: WindowKeys,
    candidates: readonly CapCandidate[],
  ): Promise<Map<string, CountedKeys>>;
  commit(outcomes: readonly Outcome[]): Promise<void>;
  release(refs: readonly ReservationRef[]): Promise<void>;
  adopt(holds: readonly AdoptedHold[]): Promise<void>;
  state(): Promise<CapState>;
  /** As a release left it that counted no hours. */
  age(): Promise<void>;
}

/** Maximum of held reservations: few, so that histories reach it, or the real maximum. */
export const anyMostHeld = fc.constantFrom(1, 2, 3, RESERVATIONS_MAX, RESERVATIONS_MAX);

/** The order of reservations has no meaning. */
export const inOrder = (state: CapState): CapState => ({
  ...state,
  held: state.held.toSorted((a, b) => a.hold_id.localeCompare(b.hold_id)),
});

/** The model, as a link's counters. */
export function modelCounting(maxHeld: number): Counting {
  let state = emptyCapState();
  const become = (next: CapState): Promise<void> => {
    state = next;
    return Promise.resolve();
  };
  return {
    async reserve(limits, keys, candidates) {
      const { state: next, granted } = grant(state, { ...limits, maxHeld }, keys, candidates);
      await become(next);
      const held = next.held.filter(({ hold_id }) => granted.includes(hold_id));
      return new Map(held.map((hold) => [hold.hold_id, hold.keys]));
    },
    commit: (outcomes) => become(commit(state, outcomes)),
    release: (refs) => become(release(state, refs)),
    adopt: (holds) => become(adopt(state, holds)),
    state: () => Promise.resolve(state),
    age: () => become(agedState(state)),
  };
}

/** The edge of an hour, and evening and morning of a plain midnight, of a Monday, of a 1st, and of a Monday that is a 1st. */
const TIMES = [
  '2026-11-20T22:59:59Z',
  '2026-11-20T23:00:00Z',
  '2026-11-20T23:59:59Z',
  '2026-11-21T00:00:00Z',
  '2026-11-22T23:59:59Z',
  '2026-11-23T00:00:00Z',
  '2026-11-30T23:59:59Z',
  '2026-12-01T00:00:00Z',
  '2027-01-31T23:59:59Z',
  '2027-02-01T00:00:00Z',
].map((time) => windowKeys(new Date(time), 'UTC'));

const ENDS = ['sold', 'parked', 'refused', 'put off', 'died', 'died with its row open'] as const;

/** Few, so that the steps of a history involve the same leads. */
const LEADS = 4;
const leads = fc.uniqueArray(fc.nat({ max: LEADS - 1 }), { minLength: 1, maxLength: LEADS });
/** Includes amounts above 2^31, like real money in micro-units. */
const money = fc.constantFrom(1, 25_000_000, 3_000_000_000);

const limit = (...values: number[]) => fc.option(fc.constantFrom(...values), { nil: null });
export const anyLimits: fc.Arbitrary<CapLimits> = fc.record({
  hourly_cap: limit(0, 1, 2),
  hourly_budget: limit(25_000_000, 6_000_000_000),
  daily_cap: limit(0, 1, 2, 3),
  daily_caps: fc.option(
    fc.record({ fri: limit(0, 1, 2), sat: limit(0, 1, 2), mon: limit(1, 3), tue: limit(0, 3) }),
    { nil: null },
  ),
  weekly_cap: limit(2, 3),
  monthly_cap: limit(3),
  total_cap: limit(3, 9),
  daily_budget: limit(25_000_000, 6_000_000_000),
  weekly_budget: limit(50_000_000, 9_000_000_000),
  monthly_budget: limit(12_000_000_000),
  total_budget: limit(15_000_000_000),
});

export type Step =
  | {
      kind: 'run';
      /** How many of `TIMES` pass before it; below 0, its clock is behind. */
      later: number;
      leads: number[];
      amount: number;
      further: boolean;
      end: (typeof ENDS)[number];
      booked: number | undefined;
    }
  | { kind: 'expire'; leads: number[]; end: 'ended' | 'sold' | 'died' }
  /** A superseded run reserves in addition to the rows of its successor, and dies. */
  | { kind: 'overtaken'; leads: number[]; amount: number }
  /** A run read the rows before its predecessor opened them late: it reserves again, and then finds them. */
  | { kind: 'unseen'; leads: number[]; amount: number }
  /** The next run finds the rows, and ends their reservations. */
  | { kind: 'resumed'; leads: number[] }
  | { kind: 'repair' }
  /** All that is stored is of an earlier release. */
  | { kind: 'upgrade' };

const run = fc.record({
  kind: fc.constant('run' as const),
  later: fc.constantFrom(0, 0, 0, 1, 1, -1),
  leads,
  amount: money,
  further: fc.boolean(),
  end: fc.constantFrom(...ENDS),
  booked: fc.option(money, { nil: undefined }),
});
const expire = fc.record({
  kind: fc.constant('expire' as const),
  leads,
  end: fc.constantFrom('ended' as const, 'sold' as const, 'died' as const),
});
export const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { arbitrary: run, weight: 6 },
    { arbitrary: expire, weight: 1 },
    {
      arbitrary: fc.record({ kind: fc.constant('overtaken' as const), leads, amount: money }),
      weight: 1,
    },
    {
      arbitrary: fc.record({ kind: fc.constant('unseen' as const), leads, amount: money }),
      weight: 1,
    },
    { arbitrary: fc.record({ kind: fc.constant('resumed' as const), leads }), weight: 1 },
    { arbitrary: fc.constant({ kind: 'repair' as const }), weight: 1 },
    { arbitrary: fc.constant({ kind: 'upgrade' as const }), weight: 1 },
  ),
  { minLength: 4, maxLength: 16 },
);

/** The windows, leads and money that a delivery row says it is counted in. */
interface Row {
  keys: CountedKeys;
  amount: number;
  leads: 0 | 1;
  sold: boolean;
  /** The fencing token of the run that had it counted. */
  fence: number;
}

/** The rows of a link's leads, and the steps on them. */
export class History {
  readonly rows = new Map<string, Row>();
  #time = 0;
  #takes = 0;
  readonly #limits: CapLimits;

  constructor(limits: CapLimits) {
    this.#limits = limits;
  }

  async play(step: Step, counting: Counting): Promise<void> {
    // Each acquisition supersedes earlier ones. The number between two of them is a superseded run.
    this.#takes += 2;
    if (step.kind === 'run') await this.#run(step, counting);
    if (step.kind === 'expire') await this.#expire(step, counting);
    if (step.kind === 'overtaken') await this.#beside(step, counting, ({ fence }) => fence - 1);
    if (step.kind === 'unseen') await this.#beside(step, counting, () => this.#takes);
    if (step.kind === 'resumed') await this.#resumed(step, counting);
    if (step.kind === 'repair') await this.#repair(counting);
    if (step.kind === 'upgrade') {
      for (const row of this.rows.values()) row.keys = aged(row.keys);
      await counting.age();
    }
  }

  /** The sums each window must have: reservations, plus rows without one; stray reservations count in addition. */
  owed(state: CapState): Record<CapWindow, { count: number; amount: number }> {
    const held = new Set(
      state.held.filter((hold) => !this.#isStray(hold)).map(({ hold_id }) => hold_id),
    );
    const own = [...this.rows].filter(([id]) => !held.has(id)).map(([, row]) => row);
    const all = [...state.held, ...own];
    const owedIn = (window: CapWindow) => {
      const here = all.filter(({ keys }) => keyOf(keys, window) === state[window].key);
      return {
        count: here.reduce((sum, one) => sum + (one.leads ?? 1), 0),
        amount: here.reduce((sum, one) => sum + one.amount, 0),
      };
    };
    const entries = CAP_WINDOWS.map(({ window }) => [window, owedIn(window)] as const);
    return Object.fromEntries(entries) as ReturnType<History['owed']>;
  }

  async #run(step: Step & { kind: 'run' }, counting: Counting): Promise<void> {
    this.#time = Math.min(TIMES.length - 1, this.#time + Math.max(0, step.later));
    const keys = TIMES[Math.max(0, this.#time + Math.min(0, step.later))];
    if (!keys) throw new Error('There is no such time');
    const open = this.#open(step.leads);
    const candidates = open.map((hold_id): CapCandidate => {
      const row = this.rows.get(hold_id);
      const asked = row ?? { amount: step.amount, leads: step.further ? 0 : 1, keys: null };
      const { amount, leads: count, keys: counted } = asked as Row;
      const ofRow = { counted, row_fence: row?.fence };
      return { hold_id, fence: this.#takes, amount, leads: count, ...ofRow };
    });
    if (candidates.length === 0) return;
    const granted = await counting.reserve(this.#limits, keys, candidates);
    const mine = candidates.filter(({ hold_id }) => granted.has(hold_id));
    const held = (await counting.state()).held.filter((one) => granted.has(one.hold_id));
    const asStored = new Map(held.map((one) => [one.hold_id, one]));
    const refs = mine.map(({ hold_id, fence }) => ({ hold_id, fence }));
    if (step.end === 'died' || mine.length === 0) return;
    if (step.end === 'refused') {
      refs.forEach(({ hold_id }) => this.rows.delete(hold_id));
      await counting.release(refs);
    } else if (step.end === 'put off') {
      const stay = refs.flatMap((ref) => {
        const row = this.rows.get(ref.hold_id);
        return row ? [{ ...ref, keys: row.keys }] : [];
      });
      await counting.commit(stay);
      await counting.release(refs.filter(({ hold_id }) => !this.rows.has(hold_id)));
    } else {
      const sold = step.end === 'sold';
      const booked = sold ? step.booked : undefined;
      for (const { hold_id, keys: counted, amount, leads: count } of asStored.values()) {
        this.rows.set(hold_id, {
          keys: counted,
          amount: booked ?? amount,
          leads: count ?? 1,
          sold,
          fence: this.rows.get(hold_id)?.fence ?? this.#takes,
        });
      }
      if (step.end === 'died with its row open') return;
      await counting.commit(refs.map((ref) => ({ ...ref, booked })));
    }
  }

  /** The wait ends: the row's count becomes a reservation, and is released unless the buyer has just accepted. */
  async #expire(step: Step & { kind: 'expire' }, counting: Counting): Promise<void> {
    const waiting = this.#open(step.leads).flatMap((hold_id) => {
      const row = this.rows.get(hold_id);
      return row ? [{ hold_id, fence: this.#takes, row }] : [];
    });
    await counting.adopt(
      waiting.map(({ row: { keys, amount, leads: count, fence: row_fence }, ...ref }) => ({
        ...ref,
        keys,
        amount,
        leads: count,
        row_fence,
      })),
    );
    if (step.end === 'died') return;
    if (step.end === 'ended') {
      waiting.forEach(({ hold_id }) => this.rows.delete(hold_id));
      await counting.release(waiting);
      return;
    }
    waiting.forEach(({ row }) => (row.sold = true));
    await counting.commit(
      waiting.map(({ row: { keys, amount: booked, leads: count, fence: row_fence }, ...ref }) => ({
        ...ref,
        keys,
        booked,
        leads: count,
        row_fence,
      })),
    );
  }

  /** Repairs what dead runs left: a reservation with a row is committed as the row says, the rest is released. */
  async #repair(counting: Counting): Promise<void> {
    const { held } = await counting.state();
    const kept = held.flatMap((hold) => {
      const row = this.rows.get(hold.hold_id);
      if (!row || this.#isStray(hold)) return [];
      const { hold_id, fence } = hold;
      return [{ hold_id, fence, keys: row.keys, booked: row.amount, leads: row.leads }];
    });
    const isKept = new Set(kept.map(({ hold_id }) => hold_id));
    await counting.commit(kept);
    await counting.release(held.filter(({ hold_id }) => !isKept.has(hold_id)));
  }

  /** Reserves without regard to existing rows, and dies. */
  async #beside(
    step: Step & { kind: 'overtaken' | 'unseen' },
    counting: Counting,
    fenceOf: (row: Row) => number,
  ): Promise<void> {
    const candidates = step.leads.flatMap((n): CapCandidate[] => {
      const row = this.rows.get(`lead-${n}:1`);
      return row ? [{ hold_id: `lead-${n}:1`, fence: fenceOf(row), amount: step.amount }] : [];
    });
    const keys = TIMES[this.#time];
    if (candidates.length > 0 && keys) await counting.reserve(this.#limits, keys, candidates);
  }

  async #resumed(step: Step & { kind: 'resumed' }, counting: Counting): Promise<void> {
    const outcomes = step.leads.flatMap((n): Outcome[] => {
      const hold_id = `lead-${n}:1`;
      const row = this.rows.get(hold_id);
      if (!row) return [];
      const { keys, amount: booked, leads: count, fence: row_fence } = row;
      return [{ hold_id, fence: this.#takes, keys, booked, leads: count, row_fence }];
    });
    await counting.commit(outcomes);
  }

  #isStray(hold: CapReservation): boolean {
    return isStray(hold, { row_fence: this.rows.get(hold.hold_id)?.fence });
  }

  #open(numbers: readonly number[]): string[] {
    return numbers.map((n) => `lead-${n}:1`).filter((id) => !this.rows.get(id)?.sold);
  }
}
