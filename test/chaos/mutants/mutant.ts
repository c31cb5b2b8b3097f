/** A mutant is a deliberate bug: what it breaks, where that shows, and which rules of the checker must find it. */
import type { Deps } from '../../../src/app/deps.js';
import type { LayoutName } from '../cluster/layouts.js';
import type { Turn } from '../load/calendar.js';
import type { WorkloadOptions } from '../load/suppliers/workload.js';
import type { ScheduledFault, Target } from '../faults/faultSchedule.js';
import { BUSY_AFTER_MS } from '../load/midnight.js';

export interface Mutant {
  /** Wraps the dependencies of a process, so that the product itself has no switch. */
  alter: (deps: Deps) => Deps;
  /** Rules that catch it; any one of them is enough. */
  caughtBy: readonly string[];
  needs: Scenario;
}

/** The shortest run in which the bug shows. */
export interface Scenario {
  /** Names of the campaigns that leads are posted to. */
  campaigns: readonly string[];
  /** Leads per second. */
  rate: number;
  /** What its suppliers do more often than those of a run. */
  suppliers?: Pick<WorkloadOptions, 'keyed' | 'habits'>;
  /** The faults during the run. */
  faults: (scene: Scene) => ScheduledFault[];
  /** Set when only one layout can have the bug. */
  layout?: LayoutName;
  /** Its accounts cross a midnight that also begins this; without it they keep UTC. */
  turn?: Turn;
  /** Seconds after which the load ends; whatever is open a while later counts. Without it the load continues. */
  loadFor?: number;
}

export interface Scene {
  seconds: number;
  /** Names of the buyers of these campaigns. */
  buyers: readonly string[];
  /** The time of midnight, in milliseconds like the times of the faults; 0 where there is none. */
  midnightAt: number;
  /** The processes that decide leads. */
  deciding: readonly Target[];
}

/** Periodic faults: `of` makes the n-th, n from 0, at its time in milliseconds; the first comes soon. */
export function every<F extends ScheduledFault>(
  periodMs: number,
  { seconds }: Scene,
  of: (at: number, n: number) => F,
): F[] {
  const times = Math.floor((seconds * 1_000) / periodMs);
  return Array.from({ length: times }, (_, n) => of(Math.round((n + FIRST) * periodMs), n));
}

/** Part of a period that passes before the first fault. */
const FIRST = 0.5;

/** Kills processes while they serve. */
export const kill = (at: number, ...targets: Target[]): ScheduledFault => ({
  kind: 'kill',
  at,
  targets,
});

/**
 * The processes that decide leads, in turn, n from 0.
 * @throws {Error} when there is none
 */
export function decider({ deciding }: Scene, n: number): Target {
  const name = deciding[n % deciding.length];
  if (name === undefined) throw new Error('There is no process that decides leads');
  return name;
}

/** The buyers misbehave in every way, all the time. */
export const flakyBuyers = (scene: Scene): ScheduledFault[] =>
  every(FLAKY_MS, scene, (at) => ({
    kind: 'buyer',
    at,
    mode: 'flaky',
    forMs: FLAKY_MS - 100,
    targets: [...scene.buyers],
  }));

const FLAKY_MS = 5_000;

/** The buyers are busy until some time after midnight, so that leads wait across it. */
export const busyOverMidnight = ({ midnightAt, buyers }: Scene): ScheduledFault[] => [
  { kind: 'buyer', at: 0, forMs: midnightAt + BUSY_AFTER_MS, mode: 'busy', targets: [...buyers] },
];

export const noFaults = (): ScheduledFault[] => [];
