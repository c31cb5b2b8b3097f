/** Load with a bound: closed loop (so many open at once) and open loop (so many a second). */
export interface Sample {
  ms: number;
  /** What the request belongs to: an answer's class, or whose lead it was. */
  kind: string;
}

export interface LoadResult {
  samples: Sample[];
  seconds: number;
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

/** Starts `perSecond` requests a second, evenly, whatever the answers take. */
export async function openLoop(
  perSecond: number,
  seconds: number,
  warmUp: number,
  request: (n: number) => Promise<string>,
): Promise<LoadResult> {
  const samples: Sample[] = [];
  const running: Promise<void>[] = [];
  const begin = performance.now();
  const total = (seconds + warmUp) * perSecond;
  for (let n = 0; n < total; n++) {
    const due = begin + (n * 1_000) / perSecond;
    const early = due - performance.now();
    if (early > 1) await new Promise((resolve) => setTimeout(resolve, early));
    const started = performance.now();
    running.push(
      request(n).then((kind) => {
        if (n >= warmUp * perSecond) samples.push({ ms: performance.now() - started, kind });
      }),
    );
  }
  await Promise.all(running);
  return { samples, seconds };
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
