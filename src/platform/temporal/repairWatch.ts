/** How long ago `reconcile` was last completed, for those who look after the service. */
import type { Clock } from '../../lib/clock.js';
import type { RepairStore } from '../mongo/repairs.js';

export interface RepairWatch {
  /** Reads anew when it was; what cannot be read grows older. */
  look(): Promise<void>;
  /** Where it never was: since this process began. */
  ageMs(): number;
  /** What is wrong and what to do; null while all is well. */
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
