/** The run of leads that this process is about to insert: they are its own from the start. */
import type { ProcessResult } from '../../workflows/messages.js';
import type { Lead } from '../leads/rules/lead.js';
import type { Clock } from '../lib/clock.js';
import { newLease } from './newLease.js';
import { SHORT_LEASE_MS } from './sell.js';
import type { Lease } from './task.js';

/** It either begins to decide its leads, or it is called off and they may be withdrawn: never both. */
export interface FirstRun {
  lease: Lease;
  /** Resolves when the workflow of its leads is started. */
  started: Promise<unknown>;
  /** The lead as the run's own, to be inserted and decided. */
  own(lead: Lead): Lead;
  /** Whether the run may decide its leads now. It may not when it was called off or its lease ends soon. */
  begin(): boolean;
  /** Whether the run has not begun; it never begins after that, and its workflow ends without leads. */
  callOff(): boolean;
  /** Passes the result to the workflow. */
  finish(result: Promise<ProcessResult>): void;
}

/** As long as the start of a workflow may take, and enough to begin, in milliseconds. */
export const FIRST_LEASE_MS = 5_000;

export const NO_LEADS: ProcessResult = { verdicts: [], open: [], dueInMs: 0 };

/** @param start starts the workflow, whose activity gets the result */
export function createFirstRun(
  clock: Clock,
  start: (result: Promise<ProcessResult>) => Promise<unknown>,
): FirstRun {
  const { lease, leaseUntil } = newLease(clock, FIRST_LEASE_MS);
  const result = Promise.withResolvers<ProcessResult>();
  const started = start(result.promise);
  // Not every started workflow reaches an activity that awaits its result, and a run that is called off awaits no start.
  for (const unused of [result.promise, started]) unused.catch(() => undefined);
  let state: 'new' | 'begun' | 'off' = 'new';
  return {
    lease,
    started,
    own: (lead) => ({ ...lead, run: lease.id, lease_until: leaseUntil, takes: lead.takes + 1 }),
    begin() {
      const isLong = lease.validUntilMs - clock.monotonic() >= SHORT_LEASE_MS;
      if (state === 'new' && isLong) state = 'begun';
      return state === 'begun';
    },
    callOff() {
      if (state === 'begun') return false;
      state = 'off';
      result.resolve(NO_LEADS);
      return true;
    },
    finish: result.resolve,
  };
}
