/** An in-memory model of cap counters after sales, releases and takeovers: MongoDB's pipelines are compared with it. */
import { eachWindow, type CapWindow } from '../../../src/account/rules/capLimits.js';
import type { CountedKeys } from '../../../src/fields/windowKeys.js';
import {
  type CapState,
  type Outcome,
  isNamed,
  isStray,
  withoutReservation,
  type AdoptedHold,
  type CapReservation,
  type WindowCount,
  keyOf,
  NOTHING,
  type ReservationRef,
} from '../../../src/routing/rules/caps.js';

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
