/** What buyers remember of earlier requests; rebuilt from their journal after their process was killed. */
import type { JournalLine } from '../evidence/evidence.js';

export type Word = 'accepted' | 'rejected';

export interface Memory {
  /** The number of a new request, counted over the whole run, from 1. */
  nextRequest(): number;
  /** Counts the requests of a lead to a buyer; 1 for the first. */
  nextTime(buyerId: string, leadId: string): number;
  /** This buyer's decision under this key; null before there is one. */
  word(buyerId: string, key: string): Word | null;
  decided(line: Decided): void;
}

type Decided = Pick<JournalLine, 'buyer_id' | 'idempotency_key' | 'decision'>;

export function createMemory(journal: readonly JournalLine[]): Memory {
  const words = new Map<string, Word>();
  const times = new Map<string, number>();
  let requests = 0;

  const memory: Memory = {
    nextRequest: () => ++requests,
    nextTime(buyerId, leadId) {
      const time = (times.get(`${buyerId} ${leadId}`) ?? 0) + 1;
      times.set(`${buyerId} ${leadId}`, time);
      return time;
    },
    word: (buyerId, key) => words.get(`${buyerId} ${key}`) ?? null,
    decided({ buyer_id, idempotency_key, decision }) {
      if (decision !== 'accepted' && decision !== 'rejected') return;
      const under = `${buyer_id} ${idempotency_key}`;
      if (!words.has(under)) words.set(under, decision);
    },
  };
  for (const line of journal) {
    requests = Math.max(requests, line.request);
    if (line.step !== 'decided') continue;
    memory.nextTime(line.buyer_id, line.lead_id);
    memory.decided(line);
  }
  return memory;
}
