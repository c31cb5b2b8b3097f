/** How long ago `reconcile` was last completed, for the operators of the service. */
import type { Clock } from '../../lib/clock.js';
import type { RepairStore } from '../mongo/repairs.js';

/** It runs every minute, and a stuck run is terminated after four. In milliseconds. */
const LATE_MS = 300_000;

export type RepairWatch = ReturnType<typeof createRepairWatch>;

export function createRepairWatch(deps: {
  repairs: Pick<RepairStore, 'lastCompleted'>;
  clock: Pick<Clock, 'now'>;
  /** Id of the schedule. */
  schedule: string;
}) {
  let last = Number(deps.clock.now());
  const ageMs = () => Math.max(0, Number(deps.clock.now()) - last);
  return {
    /** Reads the time again; while it cannot be read, the age grows. */
    async look(): Promise<void> {
      last = Number((await deps.repairs.lastCompleted()) ?? last);
    },
    /** Since its last completion; without one, since this process began. */
    ageMs,
    /** The problem and what to do; null: no problem. */
    warning(): string | null {
      if (ageMs() < LATE_MS) return null;
      const minutes = String(Math.floor(ageMs() / 60_000));
      return (
        `reconcile was last completed ${minutes} minutes ago: leftovers of crashes are not repaired. Check that the ` +
        `roles "delivery" and "worker" run, that the schedule "${deps.schedule}" is not paused, and what their logs ` +
        'report about reconcile.'
      );
    },
  };
}
