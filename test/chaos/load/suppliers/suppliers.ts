/** Suppliers that post at their own rate, however long the answers take. */
import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { History } from '../../evidence/historyFile.js';
import { openPools } from '../pools.js';
import { createWorkload, type Intent, type WorkloadOptions } from './workload.js';
import { postUntilAnswered, type PostDeps } from './postUntilAnswered.js';
import { createSender } from './sending.js';

export interface SuppliersOptions extends WorkloadOptions {
  /** Addresses that answer requests: sendings go to each in turn. */
  urls: readonly string[];
  /** Leads a second, all campaigns together. */
  rate: number;
  history: Pick<History, 'append'>;
  /** With this many leads open, new ones are skipped and counted. 2,000 by default. */
  maxOpen?: number;
  /** After this time without an answer the connection is closed and the lead sent again. 8,000 ms by default. */
  patienceMs?: number;
  /** After the first sending. 20,000 ms by default. */
  giveUpAfterMs?: number;
  /** Maximum pause before a refused lead is sent again. 3,000 ms by default. */
  longestPauseMs?: number;
  /** Maximum time between an answer and another body under its key. 3,000 ms by default. */
  alterWithinMs?: number;
}

/** In leads. */
export interface SupplierCounts {
  posted: number;
  open: number;
  /** Not posted, because too many were open. */
  skipped: number;
  gaveUp: number;
  aborted: number;
  twice: number;
  altered: number;
}

export interface Suppliers {
  counts(): SupplierCounts;
  /**
   * Posts no new leads, waits up to 30 s for answers to the open ones, and aborts the rest. Then it adds
   * the suppliers' rare behavior to the history, as `seen` events.
   */
  stop(): Promise<void>;
}

/** The rare state that counts skipped leads. */
export const LOAD_SKIPPED = 'load skipped';

const END_WITHIN_MS = 30_000;
/**
 * Up to this limit no request waits for another's connection (a lead has at most two open). Pausing leads have none:
 * this is enough for all that are ever open, and a process may have several times as many files.
 */
const CONNECTIONS_MAX = 6_000;

/** @throws {Error} when there is no campaign, or one has no supplier */
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
  // Every open lead listens to the signal while it pauses.
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

/** Open loop: each lead is due at its own time, and a late one does not delay the next. */
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
