/** Notices when this process got no CPU time: results from that time say nothing about the service. */
import type { Fault } from '../evidence/evidence.js';

const TICK_MS = 50;
/** A shorter delay is normal, in milliseconds. */
const LAG_MS = 300;

/** Records each such time as a fault of type `lag`, until the returned function is called. */
export function watchLag(record: (fault: Fault) => void): () => void {
  let last = Date.now();
  const timer = setInterval(() => {
    const now = Date.now();
    if (now - last > LAG_MS) {
      record({ kind: 'fault', at: last, ended: now, type: 'lag', targets: ['harness'] });
    }
    last = now;
  }, TICK_MS);
  timer.unref();
  return () => clearInterval(timer);
}
