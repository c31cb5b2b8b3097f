/** How a buyer does: its answers of some time, and how long they took. */
import type { DeliveryDoc } from '../store/deliveryDoc.js';

/** What is measured of an attempt. */
export type Measured = Pick<DeliveryDoc, 'state' | 'unanswered' | 'latency_ms'>;

/** What an attempt shows about its buyer. failed: it did not accept the lead, for a reason that may pass. */
export type HealthResult = 'accepted' | 'rejected' | 'failed' | 'unanswered';

export interface BuyerFigures {
  accepted: number;
  rejected: number;
  failed: number;
  unanswered: number;
  /** The answers whose time is known. */
  measured: number;
  /** Milliseconds within which this share of the answers came; null without any. */
  p50_ms: number | null;
  p95_ms: number | null;
  p99_ms: number | null;
}

/** Null where the attempt was never sent: it waits for its first try, or was dropped. */
export function healthResult({ state, unanswered, latency_ms }: Measured): HealthResult | null {
  if (state === 'accepted' || state === 'rejected') return state;
  if (state === 'unknown' || state === 'abandoned' || unanswered) return 'unanswered';
  return latency_ms === undefined ? null : 'failed';
}

/** Percentiles by the nearest rank: a value that was measured. */
export function buyerFigures(attempts: readonly Measured[]): BuyerFigures {
  const counts = { accepted: 0, rejected: 0, failed: 0, unanswered: 0 };
  for (const attempt of attempts) {
    const result = healthResult(attempt);
    if (result) counts[result] += 1;
  }
  const latencies = attempts.flatMap(({ latency_ms }) => latency_ms ?? []).sort((a, b) => a - b);
  const within = (share: number): number | null =>
    latencies[Math.max(0, Math.ceil(share * latencies.length) - 1)] ?? null;
  return {
    ...counts,
    measured: latencies.length,
    p50_ms: within(0.5),
    p95_ms: within(0.95),
    p99_ms: within(0.99),
  };
}
