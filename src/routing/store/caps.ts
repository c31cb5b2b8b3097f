/**
 * Caps, counted in one document per link. A reservation counts at once and is held until its result is
 * stored: a commit removes the reservation and leaves the count, a release subtracts the count.
 */
import type { Collection } from 'mongodb';
import { findCrowdedOut, emptyCapState, RESERVATIONS_MAX, type CapState } from '../rules/caps.js';
import type { AdoptedHold, Counters, ReservationRef, Outcome } from '../rules/caps.js';
import { eachWindow, type CapScope } from '../../account/rules/capLimits.js';
import type { CountedKeys } from '../../fields/windowKeys.js';
import {
  adoptPipeline,
  commitPipeline,
  selectReservations,
  releasePipeline,
} from './capPipelines.js';
import { countersOf, type CapDoc } from './capDocs.js';
import { retryUpsert } from '../../platform/mongo/databaseErrors.js';
import { reservePipeline, type Reservation } from './reservePipeline.js';

export interface ReserveRequest extends Omit<Reservation, 'maxHeld'> {
  /** Id of the link: `buyerCap`, `supplierCap` or `campaignCap`. */
  id: string;
}

export interface Grants {
  /**
   * By reservation, the windows in which it is counted (the open ones: later than requested, when another process is
   * already past midnight).
   */
  held: Map<string, CountedKeys>;
  /**
   * Reservations that every limit has room for, and that were not granted: the link has as many as one document may
   * hold, or the room came from a reservation after them that its lead's later run needs less of. They can be granted
   * later.
   */
  crowded: Set<string>;
  /** The counters after the grants. */
  counters: Counters;
}

export const buyerCap = (campaignId: string, buyerId: string): string =>
  `buyer:${campaignId}:${buyerId}`;
export const supplierCap = (campaignId: string, supplierId: string): string =>
  `supplier:${campaignId}:${supplierId}`;
export const campaignCap = (campaignId: string): string => `campaign:${campaignId}`;

/** The owner of the counters with this id. A campaign has no owner but itself. */
export function linkOf(id: string): { scope: CapScope; campaignId: string; ownerId: string } {
  const [scope = '', campaignId = '', ownerId = ''] = id.split(':');
  return { scope: scope as CapScope, campaignId, ownerId };
}

const COUNTED = eachWindow(() => 1 as const);

export type CapStore = ReturnType<typeof createCapStore>;

/** @param maxHeld maximum reservations of a link */
export function createCapStore(caps: Collection<CapDoc>, maxHeld = RESERVATIONS_MAX) {
  return {
    /** The counters of links, without their reservations; links that have counted nothing are left out. */
    async read(ids: readonly string[]): Promise<Map<string, CapState>> {
      if (ids.length === 0) return new Map();
      const found = await caps.find({ _id: { $in: [...ids] } }, { projection: COUNTED }).toArray();
      return new Map(found.map((doc) => [doc._id, { ...countersOf(doc), held: [] }]));
    },
    /**
     * Grants reservations in order. A repetition gives the same grant. A refused one, if it is not crowded out or a later
     * run's, is refused by the returned counters, too.
     */
    async reserve(request: ReserveRequest): Promise<Grants> {
      const doc = await retryUpsert(() =>
        caps.findOneAndUpdate({ _id: request.id }, reservePipeline({ ...request, maxHeld }), {
          upsert: true,
          returnDocument: 'after',
          projection: { ...COUNTED, held: selectReservations(request.candidates) },
        }),
      );
      // Filtered here too: an answer that the database repeats to a retry is not projected.
      const requested = new Map(request.candidates.map(({ hold_id, fence }) => [hold_id, fence]));
      const state = doc ?? emptyCapState();
      const { held } = state;
      const granted = held.filter(({ hold_id, fence }) => requested.get(hold_id) === fence);
      const counters = countersOf(state);
      const { limits, candidates } = request;
      return {
        held: new Map(granted.map((reservation) => [reservation.hold_id, reservation.keys])),
        crowded: findCrowdedOut({ ...counters, held }, limits, candidates),
        counters,
      };
    },
    /**
     * Removes the reservations; the count stays, with the recorded money and the leads that the row counts for where
     * these differ from the reservation, and in the windows that the row names where it does. Reservations that a later
     * run has taken over stay.
     */
    async commit(id: string, outcomes: readonly Outcome[]): Promise<void> {
      await caps.updateOne({ _id: id }, commitPipeline(outcomes));
    },
    /** Removes the reservations and subtracts their counts, once. Those that a later run has taken over stay. */
    async release(id: string, refs: readonly ReservationRef[]): Promise<void> {
      await caps.updateOne({ _id: id }, releasePipeline(refs));
    },
    /** Turns the counts of the attempts' rows into reservations, so that a release subtracts them exactly once. */
    async adopt(id: string, holds: readonly AdoptedHold[]): Promise<void> {
      await caps.updateOne({ _id: id }, adoptPipeline(holds));
    },
  };
}
