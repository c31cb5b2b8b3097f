/** How long ago `reconcile` was last completed, for the operators of the service. */
import type { Clock } from '../../lib/clock.js';
import type { RepairStore } from '../mongo/repairs.js';

export interface RepairWatch {
  /** Reads the time again; while it cannot be read, the age grows. */
  look(): Promise<void>;
  /** Since its last completion; without one, since this process began. */
  ageMs(): number;
  /** The problem and what to do; null while all is well. */
  warning(): string | null;
}

/** It runs every minute, and a stuck run is ended after four. In milliseconds. */
const LATE_MS = 300_000;

export function createRepairWatch(deps: {
  repairs: Pick<RepairStore, 'lastCompleted'>;
  clock: Pick<Clock, 'now'>;
  /** Id of the schedule. */
  schedule: string;
}): RepairWatch {
  let last = Number(deps.clock.now());
  const ageMs = () => Math.max(0, Number(deps.clock.now()) - last);
  return {
    async look() {
      last = Number((await deps.repairs.lastCompleted()) ?? last);
    },
    ageMs,
    warning() {
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
