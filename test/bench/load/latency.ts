/** The latency of answers, in milliseconds. */
import type { Sample } from './load.js';

export interface Latency {
  p50: number;
  p95: number;
  p99: number;
  max: number;
}

/** Rounded to a tenth of a millisecond; 0 without samples. */
export function latencyOf(samples: readonly Sample[]): Latency {
  const sorted = samples.map(({ ms }) => ms).sort((a, b) => a - b);
  const at = (p: number): number => {
    const index = Math.min(sorted.length - 1, Math.floor((sorted.length * p) / 100));
    return Math.round((sorted[index] ?? 0) * 10) / 10;
  };
  return { p50: at(50), p95: at(95), p99: at(99), max: at(100) };
}
