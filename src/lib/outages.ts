/** A database that is away fails every request with the same words: they are logged once, and then counted. */

/** While it lasts, an outage is reported every so many milliseconds. */
const REPORT_MS = 10_000;
/** Causes of causes that are looked at. */
const CAUSES_MAX = 4;
/** The driver's errors about the connection, not about the command. */
const CONNECTION =
  /^Mongo(?:Network|ServerSelection|NotConnected|PoolCleared|PoolClosed|WaitQueue)/;
const POOL_CLEARED = 'PoolClearedOnNetworkError';

/** The error, or the cause of it, that says that the database does not answer; null when none does. */
export function outageOf(error: unknown): Error | null {
  let one = error;
  for (let depth = 0; one instanceof Error && depth <= CAUSES_MAX; depth += 1) {
    if (CONNECTION.test(one.name) || one.name === POOL_CLEARED) return one;
    one = one.cause;
  }
  return null;
}

export function createOutages(reportMs = REPORT_MS) {
  const counts = new Map<string, number>();
  return {
    /**
     * Whether a line about an outage is written now. Further ones with the same text are only counted.
     * @param report writes that text with their number, once the time is over
     */
    isFirst(text: string, report: (count: number) => void): boolean {
      const count = counts.get(text);
      if (count !== undefined) {
        counts.set(text, count + 1);
        return false;
      }
      counts.set(text, 0);
      setTimeout(() => {
        const missed = counts.get(text) ?? 0;
        counts.delete(text);
        if (missed > 0) report(missed);
      }, reportMs).unref();
      return true;
    },
  };
}
