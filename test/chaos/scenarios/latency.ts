/** How long suppliers waited, in windows of time. */
import type { HistoryEvent } from '../evidence/evidence.js';

/** One lead of a supplier, from its first sending until it was acknowledged. */
export interface Wait {
  /** Milliseconds since 1970. */
  at: number;
  /** Infinity when it never was acknowledged. */
  ms: number;
}

export interface Span {
  from: number;
  to: number;
}

/** Counts every sending: the supplier waited all that time. */
export function waitsOf(history: readonly HistoryEvent[], campaignId: string): Wait[] {
  const acknowledged = new Map<number, number>();
  for (const event of history) {
    if (event.kind === 'completed' && event.outcome === 'ok') acknowledged.set(event.op, event.at);
  }
  const asked = history.filter(
    (event) => event.kind === 'invoked' && event.campaign_id === campaignId,
  );
  const byIntent = Map.groupBy(
    asked.filter((event) => event.kind === 'invoked'),
    ({ intent }) => intent,
  );
  return [...byIntent.values()].map((sendings) => {
    const at = Math.min(...sendings.map((event) => event.at));
    const ends = sendings.map(({ op }) => acknowledged.get(op) ?? Infinity);
    return { at, ms: Math.min(...ends) - at };
  });
}

/** The 99th percentile of each whole window; a window without a lead is left out. */
export function windowsOf(waits: readonly Wait[], { from, to }: Span, lengthMs: number): number[] {
  const windows: number[][] = Array.from(
    { length: Math.floor((to - from) / lengthMs) },
    (): number[] => [],
  );
  for (const { at, ms } of waits) windows[Math.floor((at - from) / lengthMs)]?.push(ms);
  return windows.filter((window) => window.length > 0).map((window) => percentile(window, 0.99));
}

/** @param share 0 to 1 */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? NaN;
}

/** For an even number, the mean of the two middle values; NaN for none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length / 2;
  const [low = NaN, high = low] = Number.isInteger(half)
    ? sorted.slice(half - 1, half + 1)
    : sorted.slice(Math.floor(half), Math.ceil(half));
  return (low + high) / 2;
}
