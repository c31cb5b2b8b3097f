/** What a part of the benchmark is given, and what it gives. */
import type { Bench, RolesShape } from './bench.js';
import type { Figure } from './report/figures.js';

export interface Shape {
  /** Length of a window. */
  seconds: number;
  /** How often each window is repeated. */
  rounds: number;
  /** Leads stored beforehand, by parts that say so; absent: as many as a whole run has. */
  leads?: number;
  /** Default: together. */
  roles?: RolesShape;
}

export type Say = (line: string) => void;

export type Measure = (bench: Bench, shape: Shape, say: Say) => Promise<Figure[]>;

/** Requests open at once at saturation: a group of each lane, and a queue behind them. */
export const OPEN = 256;
