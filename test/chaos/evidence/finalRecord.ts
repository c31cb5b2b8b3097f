/** Waits for the service to settle, and then reads its record. */
import { setTimeout as delay } from 'node:timers/promises';
import { OPEN_STATUSES } from '../../../src/leads/rules/leadStatus.js';
import type { Collections } from '../../../src/app/database.js';
import type { CampaignFacts, FinalRecord } from './evidence.js';

/** What keeps the record from being settled. */
export interface Unsettled {
  /** NEW, PENDING or SELLING, and not held for an answer that never came. */
  open: number;
  /** Held by policy until their hold ends: counts as settled. */
  held: number;
  /** Rows that may be in transit. */
  sending: number;
  /** Reservations of the counters that a run still holds. */
  reservations: number;
  /** Outcomes that are stored and not yet applied. */
  outcomes: number;
  /** Leads with pending events, and events on their way to an automation. */
  telling: number;
}

const POLL_INTERVAL_MS = 1_000;
const WAITING = { $in: ['PENDING', 'SELLING'] as const };

/** How long to wait for the record to settle, and what to leave out. */
export interface SettleTimeout {
  ms: number;
  /** Leaves reservations of lost runs to `reconcile`, which first waits two minutes. */
  leavesReservations?: boolean;
}

const isSettled = (
  { open, sending, reservations, outcomes, telling }: Unsettled,
  { leavesReservations = false }: SettleTimeout,
): boolean =>
  open + sending + outcomes + telling === 0 && (reservations === 0 || leavesReservations);

/** Leads that wait for an answer which may never come, by the policy of their buyer. */
async function heldLeads(
  collections: Collections,
  campaigns: readonly CampaignFacts[],
): Promise<Set<string>> {
  const holders = campaigns
    .flatMap(({ buyers }) => buyers)
    .filter((buyer) => !buyer.honours_idempotency_key && buyer.on_unknown === 'hold')
    .map(({ buyer_id }) => buyer_id);
  const rows = await collections.deliveries
    .find({ state: 'unknown', buyer_id: { $in: holders } }, { projection: { lead_id: 1 } })
    .toArray();
  const waiting = await collections.leads
    .find(
      { _id: { $in: rows.map(({ lead_id }) => lead_id) }, status: WAITING, run: null },
      { projection: { _id: 1 } },
    )
    .toArray();
  return new Set(waiting.map(({ _id }) => _id));
}

async function readUnsettled(
  collections: Collections,
  campaigns: readonly CampaignFacts[],
): Promise<Unsettled> {
  const [held, undecided, sending, caps, outcomes, untold, events] = await Promise.all([
    heldLeads(collections, campaigns),
    collections.leads
      .find({ status: { $in: [...OPEN_STATUSES] } }, { projection: { _id: 1 } })
      .toArray(),
    collections.deliveries.countDocuments({ state: 'sending' }),
    collections.caps.find({ 'held.0': { $exists: true } }, { projection: { held: 1 } }).toArray(),
    collections.outcomes.countDocuments({ state: 'open' }),
    collections.leads.countDocuments({ 'untold.at': { $exists: true } }),
    collections.eventDeliveries.countDocuments({ state: 'waiting' }),
  ]);
  return {
    open: undecided.filter(({ _id }) => !held.has(_id)).length,
    held: held.size,
    sending,
    reservations: caps.reduce((sum, cap) => sum + cap.held.length, 0),
    outcomes,
    telling: untold + events,
  };
}

/**
 * Waits at most `settleTimeout` until nothing is open any more, and returns what is left then. It checks
 * twice: a settled record must still be settled a moment later.
 */
export async function waitUntilSettled(
  collections: Collections,
  campaigns: readonly CampaignFacts[],
  settleTimeout: SettleTimeout,
  tell: (unsettled: Unsettled) => void,
): Promise<Unsettled> {
  const until = performance.now() + settleTimeout.ms;
  for (let quiet = 0; ;) {
    const unsettled = await readUnsettled(collections, campaigns);
    tell(unsettled);
    quiet = isSettled(unsettled, settleTimeout) ? quiet + 1 : 0;
    if (quiet === 2 || performance.now() > until) return unsettled;
    await delay(POLL_INTERVAL_MS);
  }
}

export async function readRecord(
  collections: Collections,
  campaigns: readonly CampaignFacts[],
  reconciled: Record<string, number>,
): Promise<FinalRecord> {
  const mine = { campaign_id: { $in: campaigns.map(({ campaign_id }) => campaign_id) } };
  const readAt = Date.now();
  const [leads, deliveries, caps] = await Promise.all([
    collections.leads.find(mine).toArray(),
    collections.deliveries.find(mine).toArray(),
    collections.caps.find().toArray(),
  ]);
  return { readAt, leads, deliveries, caps, reconciled };
}
