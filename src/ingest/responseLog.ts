/** Marks leads as answered, or as left without an answer: the mark identifies a re-sent request (contract 3.3). */
import type { Clock } from '../lib/clock.js';
import type { Log } from '../lib/log.js';
import { chunks } from '../lib/chunks.js';
import { createAnsweredStore } from '../leads/store/answered.js';
import type { LeadCollections } from '../leads/store/collections.js';

interface ResponseLogDeps {
  collections: Pick<LeadCollections, 'leads' | 'answered'>;
  clock: Clock;
  log: Log;
}

/** Far below the five seconds after which a decided lead counts as unanswered. */
const FLUSH_INTERVAL_MS = 200;
const BATCH_SIZE = 1_000;

export type ResponseLog = ReturnType<typeof createResponseLog>;

export function createResponseLog(deps: ResponseLogDeps) {
  const { leads } = deps.collections;
  const store = createAnsweredStore(deps.collections.answered);
  let answered: string[] = [];
  let timer: NodeJS.Timeout | undefined;

  const flush = async () => {
    clearTimeout(timer);
    timer = undefined;
    const ids = answered;
    answered = [];
    try {
      for (const some of chunks(ids, BATCH_SIZE)) {
        await store.add(some, deps.clock.now());
      }
    } catch (error) {
      // At worst a repeated request gets its first answer again instead of DUPLICATE.
      deps.log.warn({ err: error, leads: ids.length }, 'answers could not be marked');
    }
  };

  return {
    answered(leadId: string): void {
      answered.push(leadId);
      timer ??= setTimeout(() => void flush(), FLUSH_INTERVAL_MS).unref();
    },
    broken(leadId: string): void {
      // At once: the supplier may send the request again at any moment.
      leads
        .updateOne({ _id: leadId }, { $set: { broken: true } })
        .catch((error: unknown) => deps.log.warn({ err: error }, 'a broken answer was not marked'));
    },
    /** Writes the pending marks. */
    flush,
  };
}
