/**
 * The two transitions of a buyer's breaker, each one atomic update of its destination with the event that reports
 * it: of any number of failing processes, one opens the breaker, and one closes it.
 */
import type { Document } from 'mongodb';
import { FIRST_PROBE_MS, PROBE_MAX_MS } from '../rules/backoff.js';
import { BREAKER_THRESHOLD, type Pause } from '../rules/breaker.js';
import type { TlsTrouble } from '../../platform/outbound/tlsTrouble.js';
import type { FailureSource } from './destinationDoc.js';
import type { BuyerEvent } from '../../events/store/eventDocs.js';

const NEVER = new Date(0);

export interface Failing {
  orgId: string;
  /** Number of further failed requests; 0 where this installation sent nothing. */
  failed: number;
  pause: Pause;
  /** Why one of them failed. */
  reason: string;
  /** The TLS fault of its server; absent or null: none known. */
  tls?: TlsTrouble | null;
  /** The kind of the failed requests; absent: deliveries. */
  source?: FailureSource;
  /** The destination is not a buyer: no event reports its pause. */
  quiet?: true;
  now: Date;
}

const BROKEN = { $gte: ['$failures', BREAKER_THRESHOLD] };
/** Deliveries have failed, and no later answer has shown that the buyer is healthy. */
const FAILED_DELIVERIES = {
  $and: [{ $gt: ['$failures', 0] }, { $ne: ['$failure_source', 'ping'] }],
};
const PAUSED = { $gt: ['$paused_at', null] };

/** Probes double their distance no further than this. */
const DOUBLINGS_MAX = 10;

/**
 * The end of the cooldown: by the probes that failed since the breaker opened, not by the failures before. A destination
 * without a breaker (`quiet`) is tried again by its pauses in a row.
 */
function brokenUntil({ quiet, now }: Failing): Document {
  const failed = quiet
    ? { $max: [0, { $subtract: ['$pauses', 1] }] }
    : { $cond: [PAUSED, { $ifNull: ['$probes', 0] }, 0] };
  const doubled = { $pow: [2, { $min: [failed, DOUBLINGS_MAX] }] };
  const ms = { $min: [PROBE_MAX_MS, { $multiply: [FIRST_PROBE_MS, doubled] }] };
  return { $add: [now, { $toLong: ms }] };
}

/** Counts failures; those that cross the threshold open the breaker, and further ones prolong its cooldown. */
export function failingPipeline(failing: Failing): Document[] {
  const { orgId, failed, pause, reason, source = 'delivery', now } = failing;
  // What was not sent was no probe, and is no evidence about the destination.
  const isEvidence = failed > 0;
  const probed = { $and: [isEvidence, PAUSED, { $lte: ['$open_until', now] }] };
  return [
    {
      $set: {
        org_id: { $ifNull: ['$org_id', { $literal: orgId }] },
        awake: { $ifNull: ['$awake', false] },
        awake_at: { $ifNull: ['$awake_at', NEVER] },
        failure_source: isEvidence
          ? { $cond: [FAILED_DELIVERIES, 'delivery', source] }
          : '$failure_source',
        failures: { $add: [{ $ifNull: ['$failures', 0] }, failed] },
        tls: isEvidence ? (failing.tls ?? null) : '$tls',
        // Two processes that see the same spell of failures agree on one pause.
        pauses: { $max: ['$pauses', pause.pauses] },
        retry_at: { $max: ['$retry_at', pause.retry_at] },
        probes: { $cond: [probed, { $add: [{ $ifNull: ['$probes', 0] }, 1] }, '$probes'] },
        probed_at: { $cond: [probed, now, '$probed_at'] },
      },
    },
    {
      $set: {
        open_until: {
          $max: [
            '$open_until',
            pause.open_until,
            { $cond: [{ $and: [isEvidence, BROKEN] }, brokenUntil(failing), null] },
          ],
        },
        changes: { $and: [!failing.quiet, BROKEN, { $not: [PAUSED] }] },
      },
    },
    {
      $set: {
        paused_at: { $cond: ['$changes', now, '$paused_at'] },
        probes: { $cond: ['$changes', 0, '$probes'] },
      },
    },
    ...writeEvent('buyer.paused', { until: '$open_until', failures: '$failures', reason }, now),
  ];
}

/** The buyer answers again: it is healthy at once, and its breaker, if it was not closed, closes. */
export function recoveringPipeline(now: Date): Document[] {
  const data = { until: null, failures: '$failures', reason: 'answered' };
  return [
    { $set: { changes: PAUSED } },
    ...writeEvent('buyer.resumed', data, now),
    {
      $set: {
        failures: 0,
        pauses: 0,
        open_until: null,
        retry_at: null,
        paused_at: null,
        probes: 0,
        tls: null,
      },
    },
  ];
}

/** Where the document `changes`: numbers an event, and stores it where the outbox is filled from. */
function writeEvent(
  type: BuyerEvent['type'],
  data: { until: string | null; failures: string; reason: string },
  now: Date,
): Document[] {
  const event = {
    _id: { $concat: ['evt_', '$_id', '_', { $toString: '$event_seq' }] },
    org_id: '$org_id',
    type: { $literal: type },
    created_at: now,
    data: { buyer_id: '$_id', ...data, reason: { $literal: data.reason } },
  };
  const known = { $ifNull: ['$events', []] };
  return [
    {
      $set: {
        event_seq: { $add: [{ $ifNull: ['$event_seq', 0] }, { $cond: ['$changes', 1, 0] }] },
      },
    },
    { $set: { events: { $cond: ['$changes', { $concatArrays: [known, [event]] }, known] } } },
    { $unset: 'changes' },
  ];
}
