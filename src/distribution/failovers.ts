/** Leads that a drain has offered to its buyer, and that go on to others: the queue does not wait for them. */
import { setTimeout as delay } from 'node:timers/promises';

/** Maximum leads of one buyer's waves that may be in flight with others, in one process. */
const LEADS_MAX = 100;

export type Failovers = ReturnType<typeof createFailovers>;

export function createFailovers(leadsMax = LEADS_MAX) {
  const waves = new Map<string, Map<Promise<unknown>, number>>();
  const isFull = (buyerId: string): boolean => {
    const counts = [...(waves.get(buyerId)?.values() ?? [])];
    return counts.reduce((sum, n) => sum + n, 0) >= leadsMax;
  };
  return {
    /** `leads` of a wave of this buyer are not done before `work` is. */
    add(buyerId: string, leads: number, work: Promise<unknown>): void {
      const own = waves.get(buyerId) ?? new Map<Promise<unknown>, number>();
      waves.set(buyerId, own);
      const done = work
        .catch(() => undefined)
        .then(() => {
          own.delete(done);
          if (own.size === 0 && waves.get(buyerId) === own) waves.delete(buyerId);
        });
      own.set(done, leads);
    },
    /** Whether the next wave may begin, once few enough leads are left or `waitMs` milliseconds have passed. */
    async room(buyerId: string, waitMs: number): Promise<boolean> {
      const gaveUp = new AbortController();
      const late = delay(Math.max(0, waitMs), undefined, { signal: gaveUp.signal, ref: false });
      const over = late.then(
        () => true,
        () => false,
      );
      let isOver = false;
      while (isFull(buyerId) && !isOver) {
        const left = [...(waves.get(buyerId)?.keys() ?? [])];
        isOver = await Promise.race([over, ...left.map((one) => one.then(() => false))]);
      }
      gaveUp.abort();
      return !isFull(buyerId);
    },
  };
}
