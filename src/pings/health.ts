/** What buyers' answers to pings say of their health: gathered, so that many pings are one write. */
import type { Background } from '../lib/background.js';
import {
  addNews,
  keepHealth,
  type HealthDeps,
  type HealthNews,
  type Heard,
} from '../deliveries/destinations/keepHealth.js';
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
  hear(heard: Heard): void;
}

const GATHER_MS = 200;

/** Breakers are shared with deliveries: pings that fail pause a buyer as leads do. */
export function createPingHealth(deps: PingHealthDeps): PingHealth {
  const { clock, log, background, gatherMs = GATHER_MS } = deps;
  let news: HealthNews = new Map();
  let keeping = false;

  const keep = async (): Promise<void> => {
    while (news.size > 0) {
      await new Promise((resolve) => setTimeout(resolve, gatherMs));
      const gathered = news;
      news = new Map();
      try {
        await keepHealth(gathered, 'ping', clock.now(), deps);
      } catch (error) {
        const buyers = [...gathered.keys()];
        log.warn({ err: error, buyers }, 'what pings say of the health of buyers was not kept');
      }
    }
    keeping = false;
  };

  return {
    hear(heard) {
      addNews(news, heard);
      if (keeping) return;
      keeping = true;
      background.add(keep());
    },
  };
}
