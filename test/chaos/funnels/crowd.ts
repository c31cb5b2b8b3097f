/** A fixed number of visitors of one funnel: when one ends, the next one starts. */
import { once, EventEmitter } from 'node:events';
import type { Random } from '../prng.js';
import { MANNERS, visit, type Visit } from './visit.js';

export interface Crowd {
  /** What ended visits saw. */
  visits: readonly Visit[];
  /** Resolves when the next page is about to be sent, or after `withinMs`. */
  nextSubmit(withinMs: number): Promise<void>;
  /** Starts no new visitor; resolves when the last has ended, at most `patienceMs` later. */
  end(patienceMs: number): Promise<void>;
}

export interface CrowdOptions {
  /** Addresses of the funnel: new visitors use them in turn, and each keeps its own. */
  urls: readonly string[];
  /** Visitors at one time. */
  size: number;
  random: Random;
}

/** The service treats a visitor who submits within three seconds of loading the page as a bot. */
const READS_MIN_MS = 3_100;
const READS_MAX_MS = 4_500;

export function openCrowd({ urls, size, random }: CrowdOptions): Crowd {
  const visits: Visit[] = [];
  const submits = new EventEmitter();
  let isLeaving = false;
  let isOver = false;
  let begun = 0;
  const one = async (): Promise<void> => {
    while (!isLeaving) {
      const n = ++begun;
      const options = {
        n,
        url: urls[n % urls.length] ?? '',
        manner: random.pick(MANNERS),
        readsMs: random.between(READS_MIN_MS, READS_MAX_MS),
        onSubmit: () => void submits.emit('submit'),
        isOver: () => isOver,
      };
      visits.push(await visit(options));
    }
  };
  const all = Promise.all(Array.from({ length: size }, one));
  return {
    visits,
    async nextSubmit(withinMs) {
      const signal = AbortSignal.timeout(withinMs);
      await once(submits, 'submit', { signal }).catch(() => undefined);
    },
    async end(patienceMs) {
      isLeaving = true;
      const timer = setTimeout(() => (isOver = true), patienceMs);
      await all;
      clearTimeout(timer);
    },
  };
}
