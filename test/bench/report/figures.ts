/** The figures of the benchmark: their names, which never change, their units, and their values from repetitions. */
import { CORES_NAMES, isCoresName, type CoresName } from './cores.js';

export type Unit = 'per_s' | 'ms' | 'count' | 'ratio' | 'mib' | 'cores';

/** By name in the JSON. The chart is drawn from the latencies at each rate. */
const UNITS = {
  leads_per_s_32: 'per_s',
  leads_per_s_64: 'per_s',
  leads_per_s_128: 'per_s',
  leads_per_s_256: 'per_s',
  leads_per_group_32: 'count',
  leads_per_group_64: 'count',
  leads_per_group_128: 'count',
  leads_per_group_256: 'count',
  groups_in_flight_32: 'count',
  groups_in_flight_64: 'count',
  groups_in_flight_128: 'count',
  groups_in_flight_256: 'count',
  saturation_errors: 'count',
  saturation_pending: 'count',
  empty_workflow_per_s: 'per_s',
  workflow_per_lead_per_s: 'per_s',
  plain_koa_per_s: 'per_s',
  cpu_ms_per_lead_service: 'ms',
  cpu_ms_per_lead_intake: 'ms',
  cpu_ms_per_lead_api: 'ms',
  cpu_ms_per_lead_worker: 'ms',
  cpu_ms_per_lead_delivery: 'ms',
  cpu_ms_per_lead_mongod: 'ms',
  cpu_ms_per_lead_temporal: 'ms',
  cpu_ms_per_lead_buyers: 'ms',
  cpu_ms_per_lead_load: 'ms',
  cpu_ms_per_lead_all: 'ms',
  mongo_ops_per_lead: 'count',
  temporal_calls_per_lead: 'count',
  empty_50_p50_ms: 'ms',
  empty_50_p95_ms: 'ms',
  empty_50_p99_ms: 'ms',
  empty_50_max_ms: 'ms',
  open_50_p50_ms: 'ms',
  open_50_p95_ms: 'ms',
  open_50_p99_ms: 'ms',
  open_50_max_ms: 'ms',
  open_100_p50_ms: 'ms',
  open_100_p95_ms: 'ms',
  open_100_p99_ms: 'ms',
  open_100_max_ms: 'ms',
  open_200_p50_ms: 'ms',
  open_200_p95_ms: 'ms',
  open_200_p99_ms: 'ms',
  open_200_max_ms: 'ms',
  open_400_p50_ms: 'ms',
  open_400_p95_ms: 'ms',
  open_400_p99_ms: 'ms',
  open_400_max_ms: 'ms',
  open_errors: 'count',
  burst_200_errors: 'count',
  burst_200_p99_ms: 'ms',
  single_p50_ms: 'ms',
  empty_single_p50_ms: 'ms',
  refused_per_s: 'per_s',
  pings_per_s: 'per_s',
  pings_live_per_s: 'per_s',
  ping_500_p99_ms: 'ms',
  outcomes_per_s: 'per_s',
  actions_read_per_s: 'per_s',
  actions_write_per_s: 'per_s',
  mixed_per_s: 'per_s',
  mixed_p99_ms: 'ms',
  intake_100k_ratio: 'ratio',
  intake_1m_ratio: 'ratio',
  report_1m_ms: 'ms',
  portal_page_p95_ms: 'ms',
  portal_clicks_p95_ms: 'ms',
  portal_alone_p99_ms: 'ms',
  portal_beside_p99_ms: 'ms',
  portal_p99_ratio: 'ratio',
  portal_errors: 'count',
  screens_p95_ms: 'ms',
  screens_over_300_ms: 'count',
  screens_opened_p95_ms: 'ms',
  screens_alone_p99_ms: 'ms',
  screens_beside_p99_ms: 'ms',
  screens_p99_ratio: 'ratio',
  screens_cpu_ms_per_screen: 'ms',
  screens_commands_per_screen: 'count',
  screens_errors: 'count',
  funnel_page_p50_ms: 'ms',
  funnel_page_p99_ms: 'ms',
  funnel_file_p99_ms: 'ms',
  funnel_beside_p99_ms: 'ms',
  funnel_submit_p99_ms: 'ms',
  funnel_cpu_ms_per_page: 'ms',
  funnel_errors: 'count',
  machine_hashes_per_s: 'per_s',
  rss_mib: 'mib',
  rss_last_half_ratio: 'ratio',
} as const satisfies Record<string, Unit>;

export type FigureName = keyof typeof UNITS | CoresName;

export const FIGURE_NAMES: readonly FigureName[] = [
  ...(Object.keys(UNITS) as (keyof typeof UNITS)[]),
  ...CORES_NAMES,
];

/** One measured figure, by its name in the JSON. */
export interface Figure {
  name: FigureName;
  value: number;
  unit: Unit;
  /** The minimum and the maximum of its repetitions; absent for a single one. */
  spread?: [low: number, high: number];
  /** For several runs: the value of each, in order; null: it has none. */
  runs?: (number | null)[];
  note?: string;
}

/** The median of repetitions, with their minimum and maximum; NaN without any. */
export function medianOf(values: readonly number[]): {
  value: number;
  spread: [low: number, high: number];
} {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)] ?? NaN;
  const lower = sorted[Math.ceil(middle) - 1] ?? NaN;
  return { value: (lower + upper) / 2, spread: [sorted[0] ?? NaN, sorted.at(-1) ?? NaN] };
}

/** @param values one for each repetition, in the unit of the figure; without any there is no figure */
export function figuresOf(name: FigureName, values: readonly number[], note?: string): Figure[] {
  if (values.length === 0) return [];
  const { value, spread } = medianOf(values);
  const [low, high] = spread;
  return [
    {
      name,
      value: rounded(value),
      unit: isCoresName(name) ? 'cores' : UNITS[name],
      ...(values.length > 1 ? { spread: [rounded(low), rounded(high)] } : {}),
      ...(note === undefined ? {} : { note }),
    },
  ];
}

/** Three decimals for small values, and none for large ones. */
const rounded = (value: number): number =>
  Math.abs(value) >= 100 ? Math.round(value) : Math.round(value * 1_000) / 1_000;
