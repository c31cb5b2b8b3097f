/** What a measured scenario is told, and what it has to say. */
import type { Reporter } from '../../../src/embedded/reporter.js';
import type { LayoutName } from '../cluster/layouts.js';
import { waitFor, type WaitOptions } from '../../support/waitFor.js';
import type { Table } from './table.js';

export interface ScenarioOptions {
  seed: string;
  layout: LayoutName;
  cacheDir: string;
  reporter: Reporter;
  /** Told how the scenario stands. */
  say: (line: string) => void;
  /** All phases of known length together; each scenario has its own length. Less is for trying it out. */
  seconds?: number;
  /** Leads a second; in the scenarios of a bad buyer, for each of the two. */
  rate?: number;
  /** Length of `healthy`. */
  minutes?: number;
  /** Leads that `parked` parks. */
  leads?: number;
}

export interface Outcome {
  tables: Table[];
  /** What is not as it must be, a short sentence each. */
  failures: string[];
  /** All that was measured, for a file. */
  figures: Record<string, unknown>;
}

export type Scenario = (options: ScenarioOptions) => Promise<Outcome>;

/** Leads a second, unless told otherwise. */
export const RATE = 50;

/** What phases are multiplied by, so that all of them together take the time that was given. */
export const paceOf = ({ seconds }: Pick<ScenarioOptions, 'seconds'>, usual: number): number =>
  seconds === undefined ? 1 : seconds / usual;

export const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, ms));

/** Whether the condition comes true in time. */
export const comesTrue = (
  condition: () => Promise<boolean>,
  options: WaitOptions,
): Promise<boolean> =>
  waitFor(condition, options).then(
    () => true,
    () => false,
  );
