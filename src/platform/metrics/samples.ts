/** Metrics whose samples are made when they are read: what they count costs nothing but the counting. */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

export interface Sample<Label extends string> {
  /** Labels that are left out have no value in this sample. */
  labels: Partial<Record<Label, string>>;
  value: number;
}

/** One sample of a histogram: how many values are in each bucket, the last of which has no bound, and their sum. */
export interface Distribution<Label extends string> {
  labels: Partial<Record<Label, string>>;
  counts: readonly number[];
  sum: number;
}

interface Described<Label extends string> {
  name: string;
  help: string;
  labelNames: readonly Label[];
}

type Samples<T> = () => readonly T[] | Promise<readonly T[]>;

const KINDS = { counter: Counter, gauge: Gauge };

/** Registers a counter or a gauge with these samples. */
export function showSamples<Label extends string>(
  registry: Registry,
  kind: keyof typeof KINDS,
  described: Described<Label>,
  samples: Samples<Sample<Label>>,
): void {
  const metric = new KINDS[kind]({ ...described, registers: [registry] });
  replaceReading(metric, { ...described, type: kind, samples });
}

/** Registers a histogram with these samples. */
export function showDistributions<Label extends string>(
  registry: Registry,
  described: Described<Label> & { buckets: readonly number[] },
  samples: Samples<Distribution<Label>>,
): void {
  const { buckets } = described;
  const metric = new Histogram({ ...described, buckets: [...buckets], registers: [registry] });
  const lines = async () =>
    (await samples()).flatMap((one) => linesOf(described.name, buckets, one));
  replaceReading(metric, { ...described, type: 'histogram', samples: lines });
}

/** The registry reads a metric by one of two methods, by its kind. */
function replaceReading(
  metric: object,
  {
    name,
    help,
    type,
    samples,
  }: { name: string; help: string; type: string; samples: Samples<Sample<string>> },
): void {
  const get = async () => ({ name, help, type, aggregator: 'sum', values: await samples() });
  Object.assign(metric, { get, getForPromString: get });
}

/** A histogram is printed as cumulative buckets, a sum and a count. */
function linesOf(
  name: string,
  buckets: readonly number[],
  { labels, counts, sum }: Distribution<string>,
): (Sample<string> & { metricName: string })[] {
  let total = 0;
  const metricName = `${name}_bucket`;
  const lines = counts.map((count, at) => {
    total += count;
    return { metricName, labels: { ...labels, le: String(buckets[at] ?? '+Inf') }, value: total };
  });
  return [
    ...lines,
    { metricName: `${name}_sum`, labels, value: sum },
    { metricName: `${name}_count`, labels, value: total },
  ];
}
