/** An in-memory model of cap counters: MongoDB's pipelines are compared with it. */
import {
  CAP_WINDOWS,
  eachCalendarWindow,
  eachWindow,
  limitsOn,
  type CapLimits,
  type CapWindow,
} from '../../../src/account/rules/capLimits.js';
import type { CountedKeys, WindowKeys } from '../../../src/fields/windowKeys.js';
import {
  type CapCandidate,
  type CapState,
  type Counters,
  type Outcome,
  isStray,
  type AdoptedHold,
  type CapReservation,
  type WindowCount,
  keyOf,
  NOTHING,
  RESERVATIONS_MAX,
  type ReservationRef,
  rollWindows,
} from '../../../src/routing/rules/caps.js';

/**
 * Grants reservations in the order of the candidates while every window has room. A
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
  const start = { state: { ...state, ...rollWindows(state, keys) }, granted: [] as string[] };
  return candidates.reduce(({ state: current, granted }, candidate) => {
    const { hold_id, fence } = candidate;
    const held = current.held.find((hold) => hold.hold_id === hold_id);
    if (held && held.fence > fence) return { state: current, granted };
    if (held?.fence === fence) return { state: current, granted: [...granted, hold_id] };
    if (!held && current.held.length >= maxHeld) return { state: current, granted };
    const isExtra = held !== undefined && candidate.counted != null && isStray(held, candidate);
    const base = isExtra ? withoutReservation(current, held) : current;
    const before = isExtra ? undefined : held;
    if (!hasRoom(base, limits, candidate, before)) return { state: current, granted };
    return { state: withReservation(base, candidate, before), granted: [...granted, hold_id] };
  }, start);
}

/** Whether each window has room for what the candidate adds. */
function hasRoom(
  counters: Counters,
  limits: CapLimits,
  candidate: CapCandidate,
  before?: CapReservation,
): boolean {
  const today = limitsOn(limits, counters.day.key);
  return CAP_WINDOWS.every(({ window, cap, budget }) => {
    const used = counters[window];
    const { leads, amount, isCounted } = addedTo(used, window, candidate, before);
    const fits = (limit: number | null | undefined, counted: number, asks: number): boolean =>
      (isCounted && asks <= 0) || limit == null || counted + asks <= limit;
    return fits(today[cap], used.count, leads) && fits(today[budget], used.amount, amount);
  });
}

/** What a grant adds to one window: below 0 where more was counted for the attempt than it needs now. */
function addedTo(
  { key }: WindowCount,
  window: CapWindow,
  { amount, leads = 1, counted }: CapCandidate,
  before?: CapReservation,
): { leads: number; amount: number; isCounted: boolean } {
  const keys = before?.keys ?? counted;
  const isCounted = keys != null && keyOf(keys, window) === key;
  if (!isCounted) return { leads, amount, isCounted };
  const { leads: leadsBefore = 1, amount: amountBefore } = before ?? { leads, amount };
  return { leads: leads - leadsBefore, amount: amount - amountBefore, isCounted };
}

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

const isNamed = (hold: CapReservation, refs: readonly ReservationRef[]): boolean =>
  refs.some(({ hold_id, fence }) => hold_id === hold.hold_id && fence >= hold.fence);

/**
 * Removes reservations; what they counted stays counted, with the recorded price. If the row names its windows, the
 * count stays only in these: what a reservation added to others is undone, because nothing would ever undo it later. A
 * reservation that is counted in addition to its row is released.
 */
export function commit(state: CapState, outcomes: readonly Outcome[]): CapState {
  const gone = state.held.filter((hold) => isNamed(hold, outcomes));
  const outcomeOf = ({ hold_id }: CapReservation): Partial<Outcome> | undefined =>
    outcomes.find((one) => one.hold_id === hold_id);
  const booked = (window: CapWindow): WindowCount => {
    const used = state[window];
    return gone
      .filter(({ keys }) => keyOf(keys, window) === used.key)
      .reduce(({ key, count, amount }, hold) => {
        const { leads: held = 1 } = hold;
        const outcome = outcomeOf(hold) ?? {};
        const { keys = hold.keys, booked: paid = hold.amount, leads = held, row_fence } = outcome;
        const stays = keyOf(keys, window) === key && !isStray(hold, { row_fence });
        return {
          key,
          count: count + (stays ? leads : 0) - held,
          amount: amount + (stays ? paid : 0) - hold.amount,
        };
      }, used);
  };
  return {
    ...eachWindow(booked),
    held: state.held.filter((hold) => !gone.includes(hold)),
  };
}

/** Removes reservations and undoes what they counted, in the windows that are still open. */
export function release(state: CapState, refs: readonly ReservationRef[]): CapState {
  const gone = state.held.filter((hold) => isNamed(hold, refs));
  const lowered = (window: CapWindow): WindowCount => {
    const back = gone.filter(({ keys }) => keyOf(keys, window) === state[window].key);
    return {
      key: state[window].key,
      count: state[window].count - back.reduce((sum, { leads = 1 }) => sum + leads, 0),
      amount: state[window].amount - back.reduce((sum, { amount }) => sum + amount, 0),
    };
  };
  return {
    ...eachWindow(lowered),
    held: state.held.filter((hold) => !gone.includes(hold)),
  };
}

/**
 * Makes reservations of what is already counted by the attempts' rows: from then on a release undoes it exactly
 * once. An existing reservation is taken over; one that is counted in addition to its row is released first.
 */
export function adopt(state: CapState, holds: readonly AdoptedHold[]): CapState {
  return holds.reduce((current, { row_fence, ...hold }) => {
    const held = current.held.find(({ hold_id }) => hold_id === hold.hold_id);
    if (held && held.fence > hold.fence) return current;
    const isExtra = held !== undefined && isStray(held, { row_fence });
    const base = isExtra ? withoutReservation(current, held) : current;
    const before = isExtra ? undefined : held;
    const own = { ...hold, of_row: true, takers: [hold.fence] };
    const kept = { ...(before ?? own), fence: hold.fence };
    return { ...base, held: [...base.held.filter((one) => one !== before), kept] };
  }, state);
}

/** The windows as a release named them that counted no hours. */
export const aged = ({ day, week, month }: CountedKeys): CountedKeys => ({ day, week, month });

/** Counters and reservations as such a release left them. */
export const agedState = (state: CapState): CapState => ({
  ...state,
  hour: NOTHING,
  held: state.held.map((hold) => ({ ...hold, keys: aged(hold.keys) })),
});
