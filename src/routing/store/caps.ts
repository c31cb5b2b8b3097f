/**
 * Caps, counted in one document per link. A reservation counts at once and is held until it is written down
 * what came of it: committing forgets the hold and leaves the count, releasing takes the count back.
 * `src/routing/rules/caps.ts` has the same rules as a pure model; the tests hold the two together.
 */
import type { Collection } from 'mongodb';
import { findCrowdedOut, emptyCapState, RESERVATIONS_MAX, type CapState } from '../rules/caps.js';
import type { AdoptedHold, Counters, ReservationRef, Outcome } from '../rules/caps.js';
import type { CapScope } from '../../account/rules/capLimits.js';
import type { WindowKeys } from '../../fields/windowKeys.js';
import {
  adoptPipeline,
  commitPipeline,
  selectReservations,
  releasePipeline,
} from './capPipelines.js';
import type { CapDoc } from './capDocs.js';
import { retryUpsert } from '../../platform/mongo/databaseErrors.js';
import { reservePipeline, type Reservation } from './reservePipeline.js';

export interface ReserveRequest extends Omit<Reservation, 'maxHeld'> {
  /** Which link: `buyerCap`, `supplierCap` or `campaignCap`. */
  id: string;
}

export interface Grants {
  /**
   * By hold, the windows it is counted in (the open ones: later than asked for, when another process is already
   * past midnight).
   */
  held: Map<string, WindowKeys>;
  /**
   * Holds that every limit has room for, and that were not granted: the link has as many as one document may have, or
   * the room came of a reservation behind them that its lead's later run needs less of. They can be granted later.
   */
  crowded: Set<string>;
  /** As they are after the grants. */
  counters: Counters;
}

export interface CapStore {
  /** What links have counted, without what is held of it; those that have counted nothing are left out. */
  read(ids: readonly string[]): Promise<Map<string, CapState>>;
  /**
   * Grants reservations in order. A repeat gives the same grant. What is refused, and not crowded out or a later run's,
   * is refused by the counters that are returned, too.
   */
  reserve(request: ReserveRequest): Promise<Grants>;
  /**
   * Forgets the holds; the count stays, with the money that was booked and the leads that the row counts for where these
   * are others than were held, and in the windows that the row names where it says them. Holds that a later run has taken
   * over stay.
   */
  commit(id: string, outcomes: readonly Outcome[]): Promise<void>;
  /** Forgets the holds and takes their counts back, once. Those that a later run has taken over stay. */
  release(id: string, refs: readonly ReservationRef[]): Promise<void>;
  /** Makes holds of what is counted by the attempts' rows, so that a release takes it back exactly once. */
  adopt(id: string, holds: readonly AdoptedHold[]): Promise<void>;
}

export const buyerCap = (campaignId: string, buyerId: string): string =>
  `buyer:${campaignId}:${buyerId}`;
export const supplierCap = (campaignId: string, supplierId: string): string =>
  `supplier:${campaignId}:${supplierId}`;
export const campaignCap = (campaignId: string): string => `campaign:${campaignId}`;

/** Whose counters have this id. A campaign has no owner beside itself. */
export function linkOf(id: string): { scope: CapScope; campaignId: string; ownerId: string } {
  const [scope = '', campaignId = '', ownerId = ''] = id.split(':');
  return { scope: scope as CapScope, campaignId, ownerId };
}

const COUNTED = { day: 1, week: 1, month: 1, total: 1 } as const;

/** @param maxHeld maximum holds of a link */
export function createCapStore(caps: Collection<CapDoc>, maxHeld = RESERVATIONS_MAX): CapStore {
  return {
    async read(ids) {
      if (ids.length === 0) return new Map();
      const found = await caps.find({ _id: { $in: [...ids] } }, { projection: COUNTED }).toArray();
      return new Map(
        found.map(({ _id, day, week, month, total }) => [
          _id,
          { day, week, month, total, held: [] },
        ]),
      );
    },
    async reserve(request) {
      const doc = await retryUpsert(() =>
        caps.findOneAndUpdate({ _id: request.id }, reservePipeline({ ...request, maxHeld }), {
          upsert: true,
          returnDocument: 'after',
          projection: { ...COUNTED, held: selectReservations(request.candidates) },
        }),
      );
      // Once more: an answer that the database repeats to a retry is not projected.
      const asked = new Map(request.candidates.map(({ hold_id, fence }) => [hold_id, fence]));
      const { held, day, week, month, total } = doc ?? emptyCapState();
      const own = held.filter(
        (reservation) => asked.get(reservation.hold_id) === reservation.fence,
      );
      const counters = { day, week, month, total };
      const { limits, candidates } = request;
      return {
        held: new Map(own.map((reservation) => [reservation.hold_id, reservation.keys])),
        crowded: findCrowdedOut({ ...counters, held }, limits, candidates),
        counters,
      };
    },
    async commit(id, outcomes) {
      await caps.updateOne({ _id: id }, commitPipeline(outcomes));
    },
    async release(id, refs) {
      await caps.updateOne({ _id: id }, releasePipeline(refs));
    },
    async adopt(id, holds) {
      await caps.updateOne({ _id: id }, adoptPipeline(holds));
    },
  };
}
