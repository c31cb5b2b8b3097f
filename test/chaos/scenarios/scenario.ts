/** The options and the outcome of a measured scenario. */
import type { Reporter } from '../../../src/embedded/reporter.js';
import type { LayoutName } from '../cluster/layouts.js';
import { waitFor, type WaitOptions } from '../../support/waitFor.js';
import type { Table } from './table.js';

export interface ScenarioOptions {
  seed: string;
  layout: LayoutName;
  cacheDir: string;
  reporter: Reporter;
  /** Receives progress lines. */
  say: (line: string) => void;
  /** Total length of all phases of known length; the default depends on the scenario. Less is for trying it out. */
  seconds?: number;
  /** Leads per second; in the scenarios of a bad buyer, for each of the two. */
  rate?: number;
  /** Length of `healthy`. */
  minutes?: number;
  /** Leads that `parked` parks. */
  leads?: number;
}

export interface Outcome {
  tables: Table[];
  /** Each failure as a short sentence. */
  failures: string[];
  /** All measurements, for a file. */
  figures: Record<string, unknown>;
}

export type Scenario = (options: ScenarioOptions) => Promise<Outcome>;

/** Default leads per second. */
export const RATE = 50;

/** The factor on all phases, so that together they take the given time. */
export const paceOf = ({ seconds }: Pick<ScenarioOptions, 'seconds'>, usual: number): number =>
  seconds === undefined ? 1 : seconds / usual;

export const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, ms));

/** Whether the condition becomes true in time. */
export const comesTrue = (
  condition: () => Promise<boolean>,
  options: WaitOptions,
): Promise<boolean> =>
  waitFor(condition, options).then(
    () => true,
    () => false,
  );
