/** CPU use of the service while it is idle. */
import { median } from './latency.js';
import { cpuBetween, sampleOf, sum, type Sample } from './meter.js';
import { pause } from './scenario.js';
import type { Stage } from './stage.js';
import { cell, type Table } from './table.js';

/** The standard time. */
export const MEASURE_S = 120;
const WINDOWS = 12;
/** In % of a core, all processes together: less cannot be told apart from zero. */
const MEASURABLE = 1;

/** Flushes all writes to disk now, so that flushing does not disturb the measurement. */
export async function settle({ cluster }: Pick<Stage, 'cluster'>, ms: number): Promise<void> {
  await cluster.store.db.admin().command({ fsync: 1 });
  await pause(ms);
}

export interface Measured {
  /** Percent of a core by process, over the whole time. */
  mean: Record<string, number>;
  /** All processes together: each window, the whole time, and its two halves. */
  all: { windows: number[]; median: number; mean: number; halves: [number, number] };
}

/** @param pace factor on the standard time */
export async function measure(
  { cluster }: Pick<Stage, 'cluster'>,
  pace: number,
): Promise<Measured> {
  const samples: Sample[] = [await sampleOf(cluster)];
  for (let window = 0; window < WINDOWS; window++) {
    await pause((MEASURE_S * pace * 1_000) / WINDOWS);
    samples.push(await sampleOf(cluster));
  }
  const total = (from: number, to: number): number => {
    const [first, last] = [samples[from], samples[to]];
    return first && last ? sum(Object.values(cpuBetween(first, last))) : NaN;
  };
  const windows = Array.from({ length: WINDOWS }, (_, index) => total(index, index + 1));
  const [first, last] = [samples[0], samples[WINDOWS]];
  return {
    mean: first && last ? cpuBetween(first, last) : {},
    all: {
      windows,
      median: median(windows),
      mean: total(0, WINDOWS),
      halves: [total(0, WINDOWS / 2), total(WINDOWS / 2, WINDOWS)],
    },
  };
}

/** Judged by the whole time; by its median window where idling itself varies more than the smallest measurable cost. */
export function costOf(idle: Measured, full: Measured) {
  const [one, other] = idle.all.halves;
  const noise = Math.abs(one - other);
  const by = noise < MEASURABLE ? ('mean' as const) : ('median' as const);
  const cost = full.all[by] - idle.all[by];
  const failures =
    cost < MEASURABLE
      ? []
      : [
          `waiting costs ${cost.toFixed(2)} % of a core (by the ${by}; idling itself varies by ${noise.toFixed(2)} %)`,
        ];
  return { by, noise, cost, failures };
}

export function cpuTable(idle: Measured, full: Measured, queue: number): Table {
  const row = (name: string, a: number, b: number) => [
    name,
    cell(a, 2),
    cell(b, 2),
    cell(b - a, 2),
  ];
  return {
    title: 'CPU, % of a core',
    head: ['process', '0 parked', `${queue} parked`, 'difference'],
    rows: [
      ...Object.keys(full.mean).map((name) =>
        row(name, idle.mean[name] ?? NaN, full.mean[name] ?? NaN),
      ),
      row('all, mean', idle.all.mean, full.all.mean),
      row(`all, median of ${WINDOWS} windows`, idle.all.median, full.all.median),
      row('all, first half of the time', idle.all.halves[0], full.all.halves[0]),
      row('all, second half', idle.all.halves[1], full.all.halves[1]),
    ],
  };
}
