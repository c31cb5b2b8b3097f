/** Caps and budgets: which reservations there is room for. */
import {
  CAP_WINDOWS,
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

/** The counters at an instant. Windows only roll forward: a clock that is behind leaves newer ones as they are. */
export const rollWindows = (counters: Counters, keys: WindowKeys): Counters =>
  eachWindow((window) => {
    const key = keysAt(keys)[window];
    return key > counters[window].key ? { key, count: 0, amount: 0 } : counters[window];
  });

/** An attempt that requests a reservation. */
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

/**
 * The first limit that has no room for what the candidate adds; null when it fits. A window that counts it already gets
 * nothing more. The cap of a weekday is that of the open day, which may be later than the day of a clock that is behind.
 */
export function findFullCap(
  counters: Counters,
  limits: CapLimits,
  { amount, leads = 1, counted }: Pick<CapCandidate, 'amount' | 'leads' | 'counted'>,
): FullCap | null {
  const today = limitsOn(limits, counters.day.key);
  for (const { window, cap, budget } of CAP_WINDOWS) {
    const used = counters[window];
    if (counted && keyOf(counted, window) === used.key) continue;
    const full =
      findFull(cap, today[cap], used.count, leads) ??
      findFull(budget, today[budget], used.amount, amount);
    if (full) return full;
  }
  return null;
}

function findFull(
  limit: LimitKey,
  allowed: number | null | undefined,
  counted: number,
  asks: number,
): FullCap | null {
  if (allowed === null || allowed === undefined || counted + asks <= allowed) return null;
  return { limit, allowed, counted, asks };
}
