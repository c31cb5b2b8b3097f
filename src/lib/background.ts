/** Work that outlives the call that began it; a stopping process waits for it. */
import { raceTimeout } from './withTimeout.js';

export type Background = ReturnType<typeof createBackground>;

export function createBackground() {
  const running = new Set<Promise<void>>();
  return {
    add(work: Promise<void>): void {
      running.add(work);
      void work.finally(() => running.delete(work));
    },
    /** Resolves when the work running at the call is done, or after `ms`. */
    async idle(ms: number): Promise<void> {
      await raceTimeout(Promise.allSettled([...running]), ms, () => undefined);
    },
  };
}
