/** Limits the lookups in flight of each organization; further ones wait for those of the same organization only. */

interface Line {
  underWay: number;
  waiting: Set<() => void>;
}

interface LookupQueueOptions {
  /** Lookups at once, for each asker. */
  atOnceMax: number;
  /** Lookups in line behind those, for each asker. */
  waitingMax: number;
  /** Maximum wait in line, milliseconds. */
  waitMs: number;
}

export class LookupQueueFullError extends Error {}

export function createLookupQueue({ atOnceMax, waitingMax, waitMs }: LookupQueueOptions) {
  const lines = new Map<string, Line>();

  const lineOf = (asker: string): Line => {
    const line = lines.get(asker) ?? { underWay: 0, waiting: new Set() };
    lines.set(asker, line);
    return line;
  };

  const wait = (line: Line): Promise<void> =>
    new Promise((resolve, reject) => {
      const go = (): void => {
        clearTimeout(timer);
        line.waiting.delete(go);
        resolve();
      };
      const timer = setTimeout(() => {
        line.waiting.delete(go);
        reject(new LookupQueueFullError('other lookups of the organization took all the time'));
      }, waitMs);
      line.waiting.add(go);
    });

  /** The next in line takes over the place, so that a lookup that comes meanwhile cannot. */
  const end = (asker: string, line: Line): void => {
    const [next] = line.waiting;
    if (next) {
      next();
      return;
    }
    line.underWay -= 1;
    if (line.underWay === 0) lines.delete(asker);
  };

  return {
    /**
     * Does the work when it is the asker's turn.
     * @throws {LookupQueueFullError} when the line is full, or did not move in time
     */
    async take<T>(asker: string, work: () => Promise<T>): Promise<T> {
      const line = lineOf(asker);
      if (line.underWay < atOnceMax) line.underWay += 1;
      else if (line.waiting.size < waitingMax) await wait(line);
      else throw new LookupQueueFullError('too many lookups of the organization are waiting');
      try {
        return await work();
      } finally {
        end(asker, line);
      }
    },
  };
}
