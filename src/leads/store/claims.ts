/**
 * Claims decide which lead is the duplicate: one document per campaign, field and value, won by inserting it.
 * Nothing is ever released; a claim counts only while its lead is undecided or sold, and within the window.
 */
import type { Collection } from 'mongodb';
import { claimIsLive } from '../rules/dedupe.js';
import type { ClaimDoc } from './intakeDocs.js';
import type { LeadCollections } from './collections.js';
import { findByIds } from '../../platform/mongo/findByIds.js';
import { DURABLE } from '../../platform/mongo/readConcern.js';
import { readHolders, readHoldingLeads, type Holder, type HoldingLead } from './holders.js';
import { findEarlierLeads, type EarlierRequest } from './earlierLeads.js';
import { failedInserts } from '../../platform/mongo/failedInserts.js';

export interface ClaimRequest {
  /** The claim's id: campaign, field and the keyed hash of the value. */
  claim_id: string;
  lead_id: string;
  window_days: number;
}

const DAY_MS = 86_400_000;
/** Maximum attempts for a claim whose holder keeps changing. */
const TAKE_OVER_TRIES = 5;

export type ClaimStore = ReturnType<typeof createClaimStore>;

export function createClaimStore({
  claims,
  leads,
  answered,
}: Pick<LeadCollections, 'claims' | 'leads' | 'answered'>) {
  /** One pass over contested claims: finds their holders, and takes over claims that no longer count. */
  async function contest(
    requests: readonly ClaimRequest[],
    now: Date,
  ): Promise<{ lost: Map<string, Holder>; again: ClaimRequest[] }> {
    const lost = new Map<string, Holder>();
    const again: ClaimRequest[] = [];
    const claimIds = requests.map(({ claim_id }) => claim_id);
    const rows = await findByIds(claims, claimIds, DURABLE);
    const holderIds = [...rows.values()].map(({ lead_id }) => lead_id);
    const holders = await readHolders({ leads, answered }, holderIds);
    for (const request of requests) {
      const row = rows.get(request.claim_id);
      if (!row) {
        again.push(request);
        continue;
      }
      if (row.lead_id === request.lead_id) continue;
      const holder = holders.get(row.lead_id);
      if (holder && claimIsLive(holder, request.window_days, now)) {
        lost.set(request.lead_id, holder);
        continue;
      }
      const taken = await claims.updateOne(
        { _id: row._id, lead_id: row.lead_id },
        { $set: { lead_id: request.lead_id, ...times(request, now) } },
      );
      if (taken.matchedCount === 0) again.push(request);
    }
    return { lost, again };
  }

  /** The claims of one field. */
  async function claimField(
    requests: readonly ClaimRequest[],
    now: Date,
  ): Promise<Map<string, Holder>> {
    const lost = new Map<string, Holder>();
    let contested = [...requests];
    for (let round = 0; contested.length > 0; round++) {
      if (round === TAKE_OVER_TRIES)
        throw new Error('The owner of a duplicate claim keeps changing');
      contested = await insertFree(claims, contested, now);
      if (contested.length === 0) break;
      const outcome = await contest(contested, now);
      outcome.lost.forEach((holder, leadId) => lost.set(leadId, holder));
      contested = outcome.again;
    }
    return lost;
  }

  return {
    /**
     * Claims for a group at once: field by field, a later field only for leads that won the earlier ones
     * (claims made in parallel on two fields can leave no winner). Returns, for each lead that lost, the holder of
     * its claim.
     * @param fields the claims on each field, in the order of the campaign's fields
     */
    async claim(
      fields: readonly (readonly ClaimRequest[])[],
      now: Date,
    ): Promise<Map<string, Holder>> {
      const lost = new Map<string, Holder>();
      // The server stops at the first held claim, so one call keeps the order of a single lead. Where one is held, each is
      // claimed again, including those that were inserted.
      const isSingle = fields.length > 1 && fields.every(({ length }) => length === 1);
      if (isSingle && (await insertFree(claims, fields.flat(), now, true)).length === 0)
        return lost;
      for (const requests of fields) {
        const left = requests.filter(({ lead_id }) => !lost.has(lead_id));
        if (left.length === 0) continue;
        (await claimField(left, now)).forEach((holder, leadId) => lost.set(leadId, holder));
      }
      return lost;
    },
    /**
     * Reads without claiming: by `lead_id`, which need not be stored, the holder of the first of its claims that
     * is held now. One query where none is held.
     * @param requests of each lead in the order of its fields
     */
    async holders(requests: readonly ClaimRequest[], now: Date): Promise<Map<string, HoldingLead>> {
      const held = new Map<string, HoldingLead>();
      if (requests.length === 0) return held;
      const ids = new Set(requests.map(({ claim_id }) => claim_id));
      const rows = await claims.find({ _id: { $in: [...ids] } }).toArray();
      if (rows.length === 0) return held;
      const leadOf = new Map(rows.map(({ _id, lead_id }) => [_id, lead_id]));
      const found = await readHoldingLeads(
        leads,
        rows.map(({ lead_id }) => lead_id),
      );
      for (const { claim_id, lead_id, window_days } of requests) {
        const holder = found.get(leadOf.get(claim_id) ?? '');
        if (!holder || held.has(lead_id) || !claimIsLive(holder, window_days, now)) continue;
        held.set(lead_id, holder);
      }
      return held;
    },
    /** By `lead_id`, the earlier lead that it repeats although no claim shows it (`findEarlierLeads`). */
    async earlier(requests: readonly EarlierRequest[]): Promise<Map<string, Holder>> {
      if (requests.length === 0) return new Map();
      const found = await findEarlierLeads(leads, requests);
      const holders = await readHolders({ leads, answered }, [...found.values()]);
      return new Map(
        [...found].flatMap(([leadId, earlierId]) => {
          const holder = holders.get(earlierId);
          return holder ? [[leadId, holder]] : [];
        }),
      );
    },
  };
}

/** A day longer than the window: whether a claim counts is decided by its holder, not by its absence. */
const times = ({ window_days }: ClaimRequest, now: Date): Pick<ClaimDoc, 'at' | 'expires_at'> => ({
  at: now,
  expires_at: new Date(Number(now) + (window_days + 1) * DAY_MS),
});

/** Inserts claims that are free and returns the others; in order: up to the first that is held. */
async function insertFree(
  claims: Collection<ClaimDoc>,
  requests: readonly ClaimRequest[],
  now: Date,
  ordered = false,
): Promise<ClaimRequest[]> {
  try {
    const rows = requests.map((one) => ({
      _id: one.claim_id,
      lead_id: one.lead_id,
      ...times(one, now),
    }));
    await claims.insertMany(rows, { ordered });
    return [];
  } catch (error) {
    return failedInserts(error, requests);
  }
}
