/** How the counters of caps are stored. */
import {
  NOTHING,
  type CapReservation,
  type CapState,
  type Counters,
  type WindowCount,
} from '../rules/caps.js';
import { eachWindow, type CapWindow } from '../../account/rules/capLimits.js';
import type { Micros } from '../../fields/money.js';
import type { CountedKeys } from '../../fields/windowKeys.js';

/** The counters of one link. */
export interface CapDoc extends Omit<CapState, 'hour'> {
  /** `buyer:${campaign}:${buyer}`, `supplier:${campaign}:${supplier}` or `campaign:${campaign}` */
  _id: string;
  /** Absent until the first reservation by a release that counts hours. */
  hour?: WindowCount;
  held: StoredCapReservation[];
  /** The time zone of its windows, whatever zone a run has. Absent until the next reservation. */
  zone?: string;
  /** The windows that were open when the account moved to that zone; absent: it has never moved. */
  moved?: MovedWindows;
  /** When its counters are next compared with the delivery rows. */
  recount_at?: Date;
  /** The difference that this comparison found, to be confirmed by the next. */
  drift?: Drift | null;
}

/** What a link had counted when its account moved to another time zone. */
export interface MovedWindows {
  /** When the move was ordered. */
  at: Date;
  windows: Partial<Record<Exclude<CapWindow, 'total'>, MovedWindow>>;
}

export interface MovedWindow {
  /** The window that was open from then on: it counts what was sold in it before, under earlier keys. */
  key: string;
  /** The hour in which that window begins, as hours are named. */
  from: string;
  /** The key of the earlier zone that was open then: what has a lower one has been added since, or not yet. */
  prior: string;
  added?: true;
}

/** Whether a window counts a row, or a reservation, with these keys. */
export function isCountedIn(
  window: Exclude<CapWindow, 'total'>,
  keys: CountedKeys | null | undefined,
  { moved, ...counters }: Pick<CapDoc, 'moved'> & Counters,
): boolean {
  const { key } = counters[window];
  const of = keys?.[window];
  if (of === undefined || of >= key) return of === key;
  const move = moved?.windows[window];
  const hour = keys?.hour;
  return move?.key === key && hour !== undefined && hour > hourBefore(move.from);
}

/** A window may begin within an hour of the other zone: that hour counts as a whole. */
export const hourBefore = (hour: string): string =>
  `${new Date(Number(new Date(hour)) - 3_600_000).toISOString().slice(0, 19)}Z`;

/** By how much a day counts too little, or (below 0) too much; the same for the other windows that were counted. */
export interface Drift {
  day: string;
  count: number;
  amount: Micros;
  longer?: Partial<Record<Exclude<CapWindow, 'day'>, WindowCount>>;
}

export interface StoredCapReservation extends CapReservation {
  /** When it was made, or taken over, by the database's clock. */
  at: Date;
}

/** Its counters alone. */
export const countersOf = ({ hour = NOTHING, ...doc }: StoredCounters): Counters =>
  eachWindow((window) => (window === 'hour' ? hour : doc[window]));

type StoredCounters = Pick<CapDoc, CapWindow>;
