/** Buyers' health as their answers to pings show it: collected, so that many pings share one write. */
import type { Background } from '../lib/background.js';
import {
  addSample,
  recordHealth,
  type HealthDeps,
  type HealthSamples,
  type HealthSample,
} from '../deliveries/destinations/recordHealth.js';
import type { Clock } from '../lib/clock.js';

export interface PingHealthDeps extends HealthDeps {
  clock: Pick<Clock, 'now' | 'random'>;
  /** A stopping process waits for the collected samples. */
  background: Pick<Background, 'add'>;
  /** Milliseconds over which samples are collected into one write. */
  gatherMs?: number;
}

const BATCH_INTERVAL_MS = 200;

export type PingHealth = ReturnType<typeof createPingHealth>;

/** Breakers are shared with deliveries: pings that fail pause a buyer as leads do. */
export function createPingHealth(deps: PingHealthDeps) {
  const { clock, log, background, gatherMs = BATCH_INTERVAL_MS } = deps;
  let samples: HealthSamples = new Map();
  let keeping = false;

  const keep = async (): Promise<void> => {
    while (samples.size > 0) {
      await new Promise((resolve) => setTimeout(resolve, gatherMs));
      const gathered = samples;
      samples = new Map();
      try {
        await recordHealth(gathered, 'ping', clock.now(), deps);
      } catch (error) {
        const buyers = [...gathered.keys()];
        log.warn({ err: error, buyers }, 'the health of buyers from their pings was not recorded');
      }
    }
    keeping = false;
  };

  return {
    /** Records the sample at once and never throws: a failed write is logged, and the next answer repeats the verdict. */
    record(sample: HealthSample): void {
      addSample(samples, sample);
      if (keeping) return;
      keeping = true;
      background.add(keep());
    },
  };
}
