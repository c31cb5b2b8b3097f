/** Buyers' health as their answers show it: one rule for delivered leads and for pings. */
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
  /** Starts the drains of these buyers, and ends their cooldown. It is not awaited. */
  wake(buyerIds: readonly string[], orgId: string, options: { recovered: boolean }): void;
}

/** The result of one request to a buyer. */
export interface HealthSample {
  buyer_id: string;
  org_id: string;
  verdict: Pick<DeliveryVerdict, 'result' | 'http_status' | 'retry_after_ms' | 'tls' | 'ours'>;
}

/** The latest samples of one buyer. */
interface BuyerSamples {
  orgId: string;
  /** Answers, including refusals: only a healthy buyer gives one. */
  answers: number;
  failures: number;
  /** The longest Retry-After, in milliseconds; 0 is none. */
  askedMs: number;
  /** How the last failure happened. */
  reason: string;
  /** The TLS fault of the last failure. */
  tls: TlsTrouble | null;
}

export type HealthSamples = Map<string, BuyerSamples>;

/** Adds a sample to those collected so far. */
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
    failures: before.failures + (failed && verdict.ours !== true ? 1 : 0),
    askedMs: failed ? Math.max(before.askedMs, verdict.retry_after_ms ?? 0) : before.askedMs,
    reason: failed ? kindOf(verdict) : before.reason,
    tls: failed ? (verdict.tls ?? null) : before.tls,
  });
}

/**
 * Counts failures in a row per buyer and pauses it; a buyer that answers again is healthy at once.
 * @param source the kind of request. An answer to a ping does not end a cooldown that deliveries began: a buyer can
 * continue to bid while it accepts no lead.
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
        // Requests that this installation did not send are no failures of the buyer.
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

/** A code only: a buyer's text may contain personal data, and events are sent to many receivers. */
function kindOf({ http_status: status, result }: HealthSample['verdict']): string {
  if (status !== undefined) return `http_${status}`;
  return result === 'unknown' ? 'no_answer' : 'not_reached';
}

/** A business refusal is the answer of a healthy buyer. */
const isFailure = (result: DeliveryVerdict['result']): boolean =>
  result === 'not_taken' || result === 'unknown';
