/** What caps count after sales, releases and takeovers, in memory: the pipelines of MongoDB are compared with it. */
import type { CapWindow } from '../../../src/account/rules/capLimits.js';
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
  type ReservationRef,
} from '../../../src/routing/rules/caps.js';

/**
 * Forgets holds; what they counted stays counted, in money with what was booked. Where the row names its windows, it
 * stays in these only: what a reservation added to others is undone, as nothing would ever take it back. One that is
 * counted beside its row is taken back.
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
    day: booked('day'),
    week: booked('week'),
    month: booked('month'),
    total: booked('total'),
    held: state.held.filter((hold) => !gone.includes(hold)),
  };
}

/** Forgets holds and takes back what they counted, in the windows that are still open. */
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
    day: lowered('day'),
    week: lowered('week'),
    month: lowered('month'),
    total: lowered('total'),
    held: state.held.filter((hold) => !gone.includes(hold)),
  };
}

/**
 * Makes holds of what is counted already, by the attempts' rows: from then on a release takes it back
 * exactly once. Where there is a hold, it is taken over; one that is counted beside its row is taken back first.
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
