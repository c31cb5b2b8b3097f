/** Work that outlives the call that began it; a stopping process waits for it. */
export interface Background {
  add(work: Promise<void>): void;
  /** Resolves when the work running at the call is done, or after `ms`. */
  idle(ms: number): Promise<void>;
}

export function createBackground(): Background {
  const running = new Set<Promise<void>>();
  return {
    add(work) {
      running.add(work);
      void work.finally(() => running.delete(work));
    },
    async idle(ms) {
      let handle: NodeJS.Timeout | undefined;
      const timeUp = new Promise<void>((resolve) => {
        handle = setTimeout(resolve, ms);
      });
      await Promise.race([Promise.allSettled([...running]), timeUp]);
      clearTimeout(handle);
    },
  };
}
