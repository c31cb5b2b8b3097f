/** Waits for changes that another process applies. */
import type { Clock } from '../lib/clock.js';
import type { Log } from '../lib/log.js';
import { createPoller } from '../lib/poller.js';
import type { ChangeDoc } from './store/outcomeDocs.js';
import type { OutcomeStore } from './store/outcomes.js';
import { outcomeUnknown } from './errors.js';

export interface ChangePoller {
  /**
   * The change when it is applied; undefined when it was deleted, because it cannot be applied.
   * @param until on the monotonic clock
   * @throws {AppError} `outcome_unknown` after that
   */
  wait(id: string, until: number): Promise<ChangeDoc | undefined>;
}

const POLL_INTERVAL_MS = 100;

export function createChangePoller(deps: {
  outcomes: Pick<OutcomeStore, 'get'>;
  clock: Pick<Clock, 'monotonic'>;
  log: Pick<Log, 'warn'>;
}): ChangePoller {
  const poller = createPoller<ChangeDoc>({
    clock: deps.clock,
    log: deps.log,
    firstAfterMs: POLL_INTERVAL_MS,
    everyMs: POLL_INTERVAL_MS,
    waitMinMs: POLL_INTERVAL_MS,
    read: (ids) => deps.outcomes.get(ids),
    isFinal: (change) => change?.state !== 'open',
    failure: 'awaited changes could not be read',
    tooLate: outcomeUnknown,
  });
  return { wait: (id, until) => poller.wait(id, Infinity, until) };
}
