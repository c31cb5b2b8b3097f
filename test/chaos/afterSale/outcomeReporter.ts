/** Buyers report outcomes for the leads that suppliers' answers say they have. */
import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { HistoryEvent } from '../evidence/evidence.js';
import type { History } from '../evidence/historyFile.js';
import { openPools } from '../load/pools.js';
import { createRandom } from '../prng.js';
import { reportOutcomes, type ReportDeps, type ReportedLead } from './reportOutcomes.js';
import { createSendReport } from './sendReport.js';

export interface OutcomeReporterOptions {
  seed: string;
  /** Addresses that answer requests: reports go to each in turn. */
  urls: readonly string[];
  history: Pick<History, 'append' | 'events'>;
  /** The webhook secret of a buyer, by its id. */
  secretOf: (buyerId: string) => string;
}

export interface OutcomeReporter {
  /** Starts no more leads, and waits up to 30 s until all outcomes of the started ones are reported. */
  stop(): Promise<void>;
}

const SHARE = 1 / 3;
/** One lead at a time starts, with two outcomes each: ten requests per second. */
const BEGIN_EVERY_MS = 200;
const OPEN_MAX = 60;
const END_WITHIN_MS = 30_000;

export function startOutcomeReporter({
  seed,
  urls,
  history,
  secretOf,
}: OutcomeReporterOptions): OutcomeReporter {
  const pools = openPools(urls, { connections: 4 * OPEN_MAX });
  const send = createSendReport({ pools, history, secretOf });
  const closing = new AbortController();
  const over = new AbortController();
  setMaxListeners(0, closing.signal, over.signal);
  const sold = soldLeads(history.events, seed);
  const underWay = new Set<Promise<void>>();
  let leads = 0;

  const begin = (lead: ReportedLead): void => {
    const n = ++leads;
    const random = createRandom(seed, `teller ${n}`);
    const deps: ReportDeps = { send, random, closing: closing.signal, over: over.signal };
    const course = reportOutcomes(lead, n, deps).then(() => void underWay.delete(course));
    underWay.add(course);
  };
  const telling = (async () => {
    while (!closing.signal.aborted) {
      await delay(BEGIN_EVERY_MS, undefined, { signal: closing.signal }).catch(() => undefined);
      const lead = underWay.size < OPEN_MAX ? sold.next() : null;
      if (lead) begin(lead);
    }
  })();

  return {
    async stop() {
      closing.abort();
      await telling;
      const timer = setTimeout(() => over.abort(), END_WITHIN_MS);
      while (underWay.size > 0) await Promise.all(underWay);
      clearTimeout(timer);
      await pools.destroy();
    },
  };
}

/** From the answers to suppliers, read as they come: a share of the leads that a buyer has, each once. */
function soldLeads(events: readonly HistoryEvent[], seed: string): { next(): ReportedLead | null } {
  const random = createRandom(seed, 'teller');
  const seen = new Set<string>();
  let read = 0;
  return {
    next() {
      while (read < events.length) {
        const event = events[read++];
        if (event?.kind !== 'completed' || event.answer !== 'delivered') continue;
        const { lead_id, buyer_id } = event;
        if (lead_id === null || buyer_id === null || seen.has(lead_id)) continue;
        seen.add(lead_id);
        if (random.next() < SHARE) return { lead_id, buyer_id };
      }
      return null;
    },
  };
}
