/** Caps and budgets: which reservations there is room for. */
import {
  CAP_WINDOWS,
  eachCalendarWindow,
  eachWindow,
  limitsOn,
  type CapLimits,
  type CapWindow,
  type LimitKey,
} from '../../account/rules/capLimits.js';
import type { Micros } from '../../fields/money.js';
import type { CountedKeys, WindowKeys } from '../../fields/windowKeys.js';

/** Leads and money counted in one window. */
export interface WindowCount {
  key: string;
  count: number;
  amount: Micros;
}

/** A reservation for one attempt of one lead: it counts, and the result of the attempt is not stored yet. */
export interface CapReservation {
  /** The attempt's delivery row; it has one reservation, however often it is sent. */
  hold_id: string;
  /** Fencing token of the run that holds it. An earlier run of the lead can no longer change it. */
  fence: number;
  amount: Micros;
  /** How many leads it counts for; 1 when absent. A further sale of a lead adds only money. */
  leads?: 0 | 1;
  /** The windows it was counted in. */
  keys: CountedKeys;
  /** It replaces what its row counted before, and is not counted in addition to that. */
  of_row?: boolean;
  /** The fencing tokens that have held it, in order; null or absent where they are not known. */
  takers?: readonly number[] | null;
}

/** What a link has counted in each window; the key of the one that never ends is `all`. */
export type Counters = Record<CapWindow, WindowCount>;

export interface CapState extends Counters {
  held: CapReservation[];
}

/**
 * Maximum reservations of one link, in all processes together: its counters are one document, which each change
 * rewrites. More than a campaign has in flight in honest traffic; see `docs/decisions/claims-and-caps.md`.
 */
export const RESERVATIONS_MAX = 5_000;

/** Key of the window that never ends. */
const TOTAL_KEY = 'all';

/** The key of one of the windows that a record names; undefined where it names none. */
export const keyOf = (keys: CountedKeys, window: CapWindow): string | undefined =>
  window === 'total' ? TOTAL_KEY : keys[window];

/** The key of each window at an instant. */
export const keysAt = (keys: WindowKeys): Record<CapWindow, string> => ({
  ...keys,
  total: TOTAL_KEY,
});

/** Nothing is counted in a window yet. */
export const NOTHING: WindowCount = { key: '', count: 0, amount: 0 };

/** Counters of a link that has not counted anything yet. */
export const emptyCapState = (): CapState => ({ ...eachWindow(() => ({ ...NOTHING })), held: [] });

/** An attempt that asks for a reservation. */
export interface CapCandidate extends Pick<
  CapReservation,
  'hold_id' | 'fence' | 'amount' | 'leads'
> {
  /** Windows in which it is counted already (it was parked): only other windows count it anew. */
  counted?: CountedKeys | null;
  /** Fencing token with which its row was counted, where it is counted already; absent in old rows. */
  row_fence?: number;
}

/** What a row counts, as a reservation. */
export type AdoptedHold = CapReservation & Pick<CapCandidate, 'row_fence'>;

/** Identifies the reservation that a run releases or removes. */
export type ReservationRef = Pick<CapReservation, 'hold_id' | 'fence'>;

/** The result of a reservation. */
export interface Outcome extends ReservationRef {
  /** The recorded money, when it may differ from the reserved amount. */
  booked?: Micros;
  /** How many leads its row counts for, when this may differ from the reservation. */
  leads?: 0 | 1;
  /** The windows in which its row counts, when these may differ from the reservation's: the row names them. */
  keys?: CountedKeys;
  /** The fencing token with which the row was counted, if it may be another's: an extra reservation is released. */
  row_fence?: number;
}

/**
 * The model of the counters: grants reservations in the order of the candidates while every window has room. A
 * repeated request gives the same grant. A later run of the lead takes its attempt's reservation over, counted anew
 * only in windows that have begun since. It may need more or less than the earlier run did, for another buyer or as a
 * further sale: from then on the reservation is what it needs. A candidate that adds nothing to a window that counts it
 * fits, however full the window is. A run that was overtaken gets nothing.
 *
 * Windows only roll forward: a run whose clock (or delay over midnight) is behind is counted in the newer
 * window that is already open, because going back would lose what that window has counted. The reservation names
 * the windows in which it was counted, so that a release finds them.
 *
 * Where `maxHeld` are held already, a candidate without a reservation gets none: `findCrowdedOut` distinguishes this
 * from a full cap.
 */
export function grant(
  state: CapState,
  { maxHeld = RESERVATIONS_MAX, ...limits }: CapLimits & { maxHeld?: number },
  keys: WindowKeys,
  candidates: readonly CapCandidate[],
): { state: CapState; granted: string[] } {
  const start = { state: rolled(state, keys), granted: [] as string[] };
  return candidates.reduce(({ state: current, granted }, candidate) => {
    const { hold_id, fence } = candidate;
    const held = current.held.find((hold) => hold.hold_id === hold_id);
    if (held && held.fence > fence) return { state: current, granted };
    if (held?.fence === fence) return { state: current, granted: [...granted, hold_id] };
    if (!held && current.held.length >= maxHeld) return { state: current, granted };
    const isExtra = held !== undefined && candidate.counted != null && isStray(held, candidate);
    const base = isExtra ? withoutReservation(current, held) : current;
    const before = isExtra ? undefined : held;
    if (findFullCap(base, limits, candidate, before)) return { state: current, granted };
    return { state: withReservation(base, candidate, before), granted: [...granted, hold_id] };
  }, start);
}

/**
 * Whether a reservation is counted in addition to its row and was never released: an overtaken run made it when a later
 * run's row was counted, or a later run that did not see the row yet, when the row's reservation had ended. The run that
 * had the row counted is then none of those that have held this reservation.
 */
export const isStray = (
  { of_row, takers }: Pick<CapReservation, 'of_row' | 'takers'>,
  { row_fence }: Pick<CapCandidate, 'row_fence'>,
): boolean =>
  row_fence !== undefined && of_row !== true && takers != null && !takers.includes(row_fence);

/**
 * The requested candidates, by the counters and reservations after the grants, that have no reservation
 * though every limit has room for them. No cap is full: the link holds its maximum, or a reservation that was
 * taken over after them made room.
 */
export function findCrowdedOut(
  { held, ...counters }: CapState,
  limits: CapLimits,
  candidates: readonly CapCandidate[],
): Set<string> {
  const holds = new Set(held.map(({ hold_id }) => hold_id));
  const isLeftOut = (one: CapCandidate): boolean =>
    !holds.has(one.hold_id) && findFullCap(counters, limits, one) === null;
  return new Set(candidates.filter(isLeftOut).map(({ hold_id }) => hold_id));
}

/** A limit without room, and the compared values; money in micro-units. */
export interface FullCap {
  limit: LimitKey;
  allowed: number;
  counted: number;
  asks: number;
}

/** What a candidate needs, and how much of it is counted already. */
type Asked = Pick<CapCandidate, 'amount' | 'leads' | 'counted'>;

/**
 * The first limit that has no room for what the candidate adds; null when it fits. The cap of a weekday is that of the
 * open day, which may be later than the day of a clock that is behind.
 * @param before the reservation that it takes over
 */
export function findFullCap(
  counters: Counters,
  limits: CapLimits,
  candidate: Asked,
  before?: CapReservation,
): FullCap | null {
  const today = limitsOn(limits, counters.day.key);
  for (const { window, cap, budget } of CAP_WINDOWS) {
    const used = counters[window];
    const { leads, amount, isCounted } = addedTo(used, window, candidate, before);
    const overCap = isCounted && leads <= 0 ? null : over(cap, today[cap], used.count, leads);
    if (overCap) return overCap;
    const overBudget =
      isCounted && amount <= 0 ? null : over(budget, today[budget], used.amount, amount);
    if (overBudget) return overBudget;
  }
  return null;
}

/** What a grant adds to one window: below 0 where more was counted for the attempt than it needs now. */
function addedTo(
  { key }: WindowCount,
  window: CapWindow,
  { amount, leads = 1, counted }: Asked,
  before?: CapReservation,
): { leads: number; amount: number; isCounted: boolean } {
  const keys = before?.keys ?? counted;
  const isCounted = keys != null && keyOf(keys, window) === key;
  if (!isCounted) return { leads, amount, isCounted };
  const { leads: leadsBefore = 1, amount: amountBefore } = before ?? { leads, amount };
  return { leads: leads - leadsBefore, amount: amount - amountBefore, isCounted };
}

function over(
  limit: LimitKey,
  allowed: number | null | undefined,
  counted: number,
  asks: number,
): FullCap | null {
  if (allowed === null || allowed === undefined || counted + asks <= allowed) return null;
  return { limit, allowed, counted, asks };
}

export const isNamed = (hold: CapReservation, refs: readonly ReservationRef[]): boolean =>
  refs.some(({ hold_id, fence }) => hold_id === hold.hold_id && fence >= hold.fence);

const rolled = (state: CapState, keys: WindowKeys): CapState => ({
  ...eachWindow((window) => {
    const key = keysAt(keys)[window];
    return key > state[window].key ? { key, count: 0, amount: 0 } : state[window];
  }),
  held: state.held,
});

function withReservation(
  state: CapState,
  candidate: CapCandidate,
  before?: CapReservation,
): CapState {
  const { hold_id, fence, amount, leads = 1, counted } = candidate;
  const of_row = before ? before.of_row === true : counted != null;
  const keys = eachCalendarWindow((window) => state[window].key);
  const takers = before ? before.takers && [...before.takers, fence] : [fence];
  const reservation = { hold_id, fence, amount, leads, keys, of_row, takers };
  return {
    ...eachWindow((window) => {
      const used = state[window];
      const added = addedTo(used, window, candidate, before);
      return { key: used.key, count: used.count + added.leads, amount: used.amount + added.amount };
    }),
    held: [...state.held.filter((hold) => hold.hold_id !== hold_id), reservation],
  };
}

/** Removes the reservation, and what it counts in windows that are still open. */
export const withoutReservation = (state: CapState, hold: CapReservation): CapState => ({
  ...eachWindow((window) => {
    const { key, count, amount } = state[window];
    if (keyOf(hold.keys, window) !== key) return state[window];
    return { key, count: count - (hold.leads ?? 1), amount: amount - hold.amount };
  }),
  held: state.held.filter((one) => one.hold_id !== hold.hold_id),
});
