/** Answers of name servers, kept for a short time and up to a maximum number; the oldest goes first. */
import type { LookupAddress } from 'node:dns';

type Answer = { addresses: LookupAddress[] } | { failed: Error };

export function createAnswers(keptMax: number) {
  const kept = new Map<string, { answer: Answer; until: number }>();
  return {
    /** @returns null when none is kept, or no longer */
    get(host: string, now: number): Answer | null {
      const entry = kept.get(host);
      if (!entry) return null;
      if (now < entry.until) return entry.answer;
      kept.delete(host);
      return null;
    },
    /** Milliseconds; 0 keeps nothing. */
    keep(host: string, answer: Answer, now: number, forMs: number): void {
      kept.delete(host);
      if (forMs <= 0) return;
      const [oldest] = kept.keys();
      if (kept.size >= keptMax && oldest !== undefined) kept.delete(oldest);
      kept.set(host, { answer, until: now + forMs });
    },
  };
}
