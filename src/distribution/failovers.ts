/** Leads that a drain has offered to its buyer, and that go on to others: the queue does not wait for them. */

/** Maximum leads of one buyer's waves that may be in flight with others, in one process. */
const LEADS_MAX = 100;

export type Failovers = ReturnType<typeof createFailovers>;

interface Wave {
  buyerId: string;
  leads: number;
  done: Promise<unknown>;
}

export function createFailovers(leadsMax = LEADS_MAX) {
  const waves = new Set<Wave>();
  const wavesOf = (buyerId: string): Wave[] =>
    [...waves].filter((wave) => wave.buyerId === buyerId);
  const isFull = (buyerId: string): boolean =>
    wavesOf(buyerId).reduce((sum, { leads }) => sum + leads, 0) >= leadsMax;
  return {
    /** `leads` of a wave of this buyer are not done before `work` is. */
    add(buyerId: string, leads: number, work: Promise<unknown>): void {
      const remove = () => waves.delete(wave);
      const wave: Wave = { buyerId, leads, done: work.then(remove, remove) };
      waves.add(wave);
    },
    /** Whether the next wave may begin, once few enough leads are in flight or `waitMs` milliseconds have passed. */
    async room(buyerId: string, waitMs: number): Promise<boolean> {
      const late = Promise.withResolvers<boolean>();
      const timer = setTimeout(late.resolve, Math.max(0, waitMs), true).unref();
      let isLate = false;
      while (isFull(buyerId) && !isLate) {
        const done = wavesOf(buyerId).map((wave) => wave.done.then(() => false));
        isLate = await Promise.race([late.promise, ...done]);
      }
      clearTimeout(timer);
      return !isFull(buyerId);
    },
  };
}
