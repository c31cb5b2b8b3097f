/** What answers say about the buyers themselves: one rule for the leads they are sent and the pings they are asked. */
import type { Clock } from '../../lib/clock.js';
import { pauseAfter } from '../rules/breaker.js';
import type { DeliveryVerdict } from '../rules/delivery.js';
import type { TlsTrouble } from '../../platform/outbound/tlsTrouble.js';
import type { Log } from '../../lib/log.js';
import type { FailureSource } from '../store/destinationDoc.js';
import type { DestinationStore } from '../store/destinations.js';
import type { EventStore } from '../store/destinationEvents.js';

export interface HealthDeps {
  destinations: Pick<DestinationStore, 'get' | 'failed' | 'recovered'>;
  events: Pick<EventStore, 'flush'>;
  clock: Pick<Clock, 'random'>;
  log: Log;
  /** Starts the drains of these buyers, and ends their cooldown. Nobody waits for it. */
  wake(buyerIds: readonly string[], orgId: string, options: { recovered: boolean }): void;
}

/** The result of one request to a buyer. */
export interface HealthSample {
  buyer_id: string;
  org_id: string;
  verdict: Pick<DeliveryVerdict, 'result' | 'http_status' | 'retry_after_ms' | 'tls' | 'own_limit'>;
}

/** What was heard of one buyer lately. */
interface BuyerSamples {
  orgId: string;
  /** Answers, a refusal too: only a healthy buyer gives one. */
  answers: number;
  failures: number;
  /** The longest Retry-After, in milliseconds; 0 is none. */
  askedMs: number;
  /** How the last of them failed. */
  reason: string;
  /** What its TLS lacks, by the last of them. */
  tls: TlsTrouble | null;
}

export type HealthSamples = Map<string, BuyerSamples>;

/** Adds what was heard to what is known already. */
export function addSample(
  samples: HealthSamples,
  { buyer_id, org_id, verdict }: HealthSample,
): void {
  const known = samples.get(buyer_id);
  const nothing = { answers: 0, failures: 0, askedMs: 0, reason: '', tls: null };
  const before = known ?? { orgId: org_id, ...nothing };
  const failed = isFailure(verdict.result);
  samples.set(buyer_id, {
    ...before,
    answers: before.answers + (failed ? 0 : 1),
    failures: before.failures + (failed && verdict.own_limit !== true ? 1 : 0),
    askedMs: failed ? Math.max(before.askedMs, verdict.retry_after_ms ?? 0) : before.askedMs,
    reason: failed ? kindOf(verdict) : before.reason,
    tls: failed ? (verdict.tls ?? null) : before.tls,
  });
}

/**
 * Counts failures in a row per buyer and pauses it; a buyer that answers again is well at once.
 * @param source what was asked of the buyers. An answer to a ping ends no rest that a delivery began: a buyer can go on
 * bidding while it takes no lead.
 */
export async function recordHealth(
  samples: HealthSamples,
  source: FailureSource,
  now: Date,
  deps: HealthDeps,
): Promise<void> {
  const known = await deps.destinations.get([...samples.keys()]);
  await Promise.all(
    [...samples].map(async ([buyerId, { orgId, answers, failures, askedMs, reason, tls }]) => {
      const before = known.get(buyerId);
      if (answers === 0) {
        const random = deps.clock.random();
        const health = before ?? UNKNOWN;
        const spell = pauseAfter({ before: health, askedMs, now, random });
        // A limit of our own is no spell of failures.
        const pause = failures === 0 ? { ...spell, pauses: health.pauses } : spell;
        const failing = { orgId, failed: failures, pause, reason, tls, now, source };
        if (await deps.destinations.failed(buyerId, failing)) await publish(buyerId, deps);
        return;
      }
      if ((before?.failures ?? 0) === 0) return;
      if (!(await deps.destinations.recovered(buyerId, now, source))) return;
      await publish(buyerId, deps);
      deps.wake([buyerId], orgId, { recovered: true });
    }),
  );
}

const UNKNOWN = { pauses: 0, retry_at: null };

/** The event is stored with what it reports: if it cannot be moved now, the next one or `reconcile` moves it. */
async function publish(buyerId: string, { events, log }: HealthDeps): Promise<void> {
  try {
    await events.flush(buyerId);
  } catch (error) {
    log.warn({ err: error, buyer_id: buyerId }, 'an event could not be moved to the outbox yet');
  }
}

/** In a word: what a buyer writes may be about a person, and events go far. */
function kindOf({ http_status: status, result }: HealthSample['verdict']): string {
  if (status !== undefined) return `http_${status}`;
  return result === 'unknown' ? 'no_answer' : 'not_reached';
}

/** A business refusal is an answer of a healthy buyer. */
const isFailure = (result: DeliveryVerdict['result']): boolean =>
  result === 'not_taken' || result === 'unknown';
