/** What buyers' answers to pings say of their health: gathered, so that many pings are one write. */
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
  /** A stopping process waits for what is gathered. */
  background: Pick<Background, 'add'>;
  /** What is heard in so many milliseconds is kept together. */
  gatherMs?: number;
}

export interface PingHealth {
  /** Takes note, at once and without an error: what cannot be stored is logged, and the next answer says it again. */
  record(sample: HealthSample): void;
}

const BATCH_INTERVAL_MS = 200;

/** Breakers are shared with deliveries: pings that fail pause a buyer as leads do. */
export function createPingHealth(deps: PingHealthDeps): PingHealth {
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
    record(sample) {
      addSample(samples, sample);
      if (keeping) return;
      keeping = true;
      background.add(keep());
    },
  };
}
