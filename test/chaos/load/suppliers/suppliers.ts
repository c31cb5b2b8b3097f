/** Suppliers who post at a rate of their own, however long the answers take. */
import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { History } from '../../evidence/historyFile.js';
import { openPools } from '../pools.js';
import { createWorkload, type Intent, type WorkloadOptions } from './workload.js';
import { postUntilAnswered, type PostDeps } from './postUntilAnswered.js';
import { createSender } from './sending.js';

export interface SuppliersOptions extends WorkloadOptions {
  /** Where requests are answered: sendings go to each in turn. */
  urls: readonly string[];
  /** Leads a second, all campaigns together. */
  rate: number;
  history: Pick<History, 'append'>;
  /** More leads than this under way: new ones are skipped and counted. 2,000 by default. */
  maxOpen?: number;
  /** No answer for so long: the connection is closed and the lead sent again. 8,000 ms by default. */
  patienceMs?: number;
  /** Since its first sending. 20,000 ms by default. */
  giveUpAfterMs?: number;
  /** A refused lead is not sent again after a longer pause than this. 3,000 ms by default. */
  longestPauseMs?: number;
  /** Between an answer and another body under its key, at most. 3,000 ms by default. */
  alterWithinMs?: number;
}

/** In leads. */
export interface SupplierCounts {
  posted: number;
  open: number;
  /** Not posted, as too many were under way. */
  skipped: number;
  gaveUp: number;
  aborted: number;
  twice: number;
  altered: number;
}

export interface Suppliers {
  counts(): SupplierCounts;
  /**
   * Posts no new leads, waits up to 30 s until those under way are answered, and ends the rest. Then it adds
   * what suppliers did to the history, as `seen` events.
   */
  stop(): Promise<void>;
}

/** The rare state that counts leads which were not begun. */
export const LOAD_SKIPPED = 'load skipped';

const END_WITHIN_MS = 30_000;
/**
 * Below it no request waits for another's connection (a lead has two open at most). Leads that pause have none:
 * so many are enough for all that are ever open, and a process may have several times as many files.
 */
const CONNECTIONS_MAX = 6_000;

/** @throws {Error} when there is no campaign, or one without a supplier */
export function startSuppliers(options: SuppliersOptions): Suppliers {
  const { history, rate, maxOpen = 2_000 } = options;
  const pools = openPools(options.urls, {
    connections: Math.min(2 * maxOpen, CONNECTIONS_MAX),
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const { patienceMs = 8_000, numbersFrom } = options;
  const sender = createSender({ pools, history, patienceMs, numbersFrom });
  const closing = new AbortController();
  const over = new AbortController();
  // Every lead under way listens while it pauses.
  setMaxListeners(0, over.signal);
  const deps: PostDeps = {
    seed: options.seed,
    sender,
    giveUpAfterMs: options.giveUpAfterMs ?? 20_000,
    pauseMaxMs: options.longestPauseMs ?? 3_000,
    alterWithinMs: options.alterWithinMs ?? 3_000,
    over: over.signal,
  };
  const counts = { posted: 0, skipped: 0, gaveUp: 0, aborted: 0, twice: 0, altered: 0 };
  const underWay = new Set<Promise<void>>();

  const post = (intent: Intent): void => {
    if (underWay.size >= maxOpen) {
      counts.skipped += 1;
      return;
    }
    counts.posted += 1;
    if (intent.habit === 'twice') counts.twice += 1;
    const lead = postAfter(intent, deps).then((pursued) => {
      underWay.delete(lead);
      for (const deed of ['gaveUp', 'aborted', 'altered'] as const) {
        if (pursued[deed]) counts[deed] += 1;
      }
    });
    underWay.add(lead);
  };
  const posting = postAtRate(createWorkload(options), rate, post, closing.signal);

  return {
    counts: () => ({ ...counts, open: underWay.size }),
    async stop() {
      closing.abort();
      await posting;
      const timer = setTimeout(() => {
        over.abort();
        sender.breakOff();
      }, END_WITHIN_MS);
      while (underWay.size > 0) await Promise.all(underWay);
      clearTimeout(timer);
      await pools.destroy();
      for (const [state, count] of Object.entries(seen(counts))) {
        history.append({ kind: 'seen', state, count });
      }
    },
  };
}

async function postAfter(intent: Intent, deps: PostDeps) {
  if (intent.delayMs > 0) await delay(intent.delayMs);
  return postUntilAnswered(intent, deps);
}

/** Open loop: each is due at its own time, and one that is late does not put off the next. */
async function postAtRate(
  intents: Iterator<Intent>,
  rate: number,
  post: (intent: Intent) => void,
  closing: AbortSignal,
): Promise<void> {
  let due = performance.now();
  for (;;) {
    const early = due - performance.now();
    if (early > 1) await delay(early, undefined, { signal: closing }).catch(() => undefined);
    if (closing.aborted) return;
    const { value } = intents.next() as { value: Intent };
    post(value);
    due += (value.gap * 1_000) / rate;
  }
}

const seen = (counts: Omit<SupplierCounts, 'open' | 'posted'>): Record<string, number> => ({
  [LOAD_SKIPPED]: counts.skipped,
  'lead given up by its supplier': counts.gaveUp,
  'connection closed by its supplier before the answer': counts.aborted,
  'one key sent twice at the same time': counts.twice,
  'one key sent again with another body': counts.altered,
});
