/** The input and the result of a part of the benchmark. */
import type { Bench } from './bench.js';
import type { RolesShape } from './processNames.js';
import type { Figure } from './report/figures.js';

export interface Shape {
  /** Length of a window. */
  seconds: number;
  /** How often each window is repeated. */
  rounds: number;
  /** Leads stored beforehand, for parts that store some; absent: the number of a whole run. */
  leads?: number;
  /** Absent in the files of older runs: `together`. */
  roles?: RolesShape;
}

export type Say = (line: string) => void;

export type Measure = (bench: Bench, shape: Shape, say: Say) => Promise<Figure[]>;

/** Requests open at once at saturation: a full group for each one in flight, and a queue behind them. */
export const OPEN = 256;
