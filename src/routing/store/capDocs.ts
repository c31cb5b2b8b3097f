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

/** The counters of one link. */
export interface CapDoc extends Omit<CapState, 'hour'> {
  /** `buyer:${campaign}:${buyer}`, `supplier:${campaign}:${supplier}` or `campaign:${campaign}` */
  _id: string;
  /** Absent until the first reservation by a release that counts hours. */
  hour?: WindowCount;
  held: StoredCapReservation[];
  /** When its counters are next compared with the delivery rows. */
  recount_at?: Date;
  /** The difference that this comparison found, to be confirmed by the next. */
  drift?: Drift | null;
}

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
