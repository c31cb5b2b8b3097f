/** The speed of the machine by itself, to compare runs: what one processor computes in a moment, beside what else runs. */
import { hash } from 'node:crypto';

const BLOCK = Buffer.alloc(1_024);
/** Between two readings of the clock. */
const AT_ONCE = 200;
const TAKES_MS = 500;

/** SHA-256 of 1 KiB, so many times a second on one processor. */
export function hashesPerSecond(takesMs = TAKES_MS): number {
  const from = performance.now();
  let [count, elapsedMs] = [0, 0];
  while (elapsedMs < takesMs) {
    for (let n = 0; n < AT_ONCE; n++) hash('sha256', BLOCK);
    count += AT_ONCE;
    elapsedMs = performance.now() - from;
  }
  return (count * 1_000) / elapsedMs;
}
