/** A whole run: written as JSON, shown as a table, drawn as a chart and made into a page. */
import type { RunAudit } from '../audit/audit.js';
import type { Figure, Unit } from './figures.js';
import type { Machine, Versions } from '../machine.js';
import type { Shape } from '../part.js';

export interface RunResult {
  machine: Machine;
  versions: Versions;
  /** ISO 8601. */
  taken_at: string;
  shape: Shape;
  figures: readonly Figure[];
  audit: RunAudit;
  /** Results of parts without figures of their own. */
  details?: Record<string, unknown>;
  /** For several merged runs: each of them, in order of time. Figures are medians over them. */
  runs?: readonly RunResult[];
}

const SUFFIX: Record<Unit, string> = {
  per_s: '/s',
  ms: ' ms',
  count: '',
  ratio: '',
  mib: ' MiB',
  cores: '',
};

export const withUnit = ({ value, unit }: Figure): string => `${shown(value)}${SUFFIX[unit]}`;

export const spreadOf = ({ spread }: Figure): string =>
  spread ? `${shown(spread[0])} to ${shown(spread[1])}` : '';

/** The value of each run. */
export const runsOf = (values: readonly (number | null)[]): string =>
  values.map((value) => (value === null ? '-' : shown(value))).join(' · ');

/** Three digits: repetitions agree on no more. */
export const shown = (value: number): string =>
  Math.abs(value) >= 100
    ? Math.round(value).toLocaleString('en')
    : String(Number(value.toPrecision(3)));

export const machineLine = ({ machine, versions }: RunResult): string =>
  `${machine.cores} cores (${machine.cpu}), ${machine.memory_gib} GiB, ${machine.system}; everything on this machine. ` +
  `Leadwire ${versions.leadwire}, Node ${versions.node}, MongoDB ${versions.mongodb}, Temporal ${versions.temporal}`;
