/** Bounded load: closed loop (a number of open requests) and open loop (a number of requests per second). */
export interface Sample {
  ms: number;
  /** The class of the answer, or a group such as the campaign of the lead. */
  kind: string;
}

export interface LoadResult {
  samples: Sample[];
  seconds: number;
  /**
   * Of an open loop: the largest delay between a request's due time and its start, in milliseconds. This process, and
   * not the service, was the limit by that much.
   */
  latestMs?: number;
}

/** Keeps `open` requests in flight for `seconds`, after `warmUp` seconds that do not count. */
export async function closedLoop(
  open: number,
  seconds: number,
  warmUp: number,
  request: () => Promise<string>,
): Promise<LoadResult> {
  const samples: Sample[] = [];
  const from = performance.now() + warmUp * 1_000;
  const until = from + seconds * 1_000;
  const one = async () => {
    while (performance.now() < until) {
      const started = performance.now();
      const kind = await request();
      const ended = performance.now();
      if (ended >= from && ended < until) samples.push({ ms: ended - started, kind });
    }
  };
  await Promise.all(Array.from({ length: open }, one));
  return { samples, seconds };
}

/** Sends `count` requests, `open` of them at once. */
export async function sendAll(
  count: number,
  open: number,
  send: () => Promise<unknown>,
): Promise<void> {
  let left = count;
  const one = async () => {
    while (left-- > 0) await send();
  };
  await Promise.all(Array.from({ length: open }, one));
}

/**
 * Starts `perSecond` requests per second, evenly, however long the answers take. A request is timed from when it was
 * due until its answer, even if it started late: a request due while the service or this process stalls waits too.
 */
export async function openLoop(
  perSecond: number,
  seconds: number,
  warmUp: number,
  request: (n: number) => Promise<string>,
): Promise<LoadResult> {
  const samples: Sample[] = [];
  const running: Promise<void>[] = [];
  const begin = performance.now();
  const total = Math.round((seconds + warmUp) * perSecond);
  let latestMs = 0;
  for (let n = 0; n < total; n++) {
    const due = begin + (n * 1_000) / perSecond;
    const early = due - performance.now();
    if (early > 1) await new Promise((resolve) => setTimeout(resolve, early));
    const isCounted = n >= warmUp * perSecond;
    // A timer may fire up to a millisecond early: no request is timed from after its start.
    const begun = performance.now();
    const from = Math.min(due, begun);
    if (isCounted) latestMs = Math.max(latestMs, begun - from);
    running.push(
      request(n).then((kind) => {
        if (isCounted) samples.push({ ms: performance.now() - from, kind });
      }),
    );
  }
  await Promise.all(running);
  return { samples, seconds, latestMs: Math.round(latestMs) };
}

/** The p-th percentile, 0 to 100, of samples of this kind (all, when none is named). */
export function percentile(samples: readonly Sample[], p: number, kind?: string): number {
  const sorted = samples
    .filter((sample) => kind === undefined || sample.kind === kind)
    .map(({ ms }) => ms)
    .sort((a, b) => a - b);
  return Math.round(
    sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * p) / 100))] ?? 0,
  );
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
