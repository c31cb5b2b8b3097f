/** The run that begins in the process which accepts its leads, before they are stored. */
import type { ProcessResult } from '../../workflows/messages.js';
import type { Lead } from '../leads/rules/lead.js';
import type { Clock } from '../lib/clock.js';
import { newLease } from './newLease.js';
import { SHORT_LEASE_MS } from './sell.js';
import type { Lease } from './task.js';

/** It either begins to decide its leads, or it is called off and they may be withdrawn: never both. */
export interface FirstRun {
  lease: Lease;
  /** The same as `lease.validUntilMs`, as it is stored on the leads. */
  leaseUntil: Date;
  /** What its workflow receives: the result of the run that has begun, or none when it is called off. */
  result: Promise<ProcessResult>;
  /** The lead as leased to this run. */
  leaseLead: (lead: Lead) => Lead;
  /**
   * Decides the leads.
   * @throws {Error} when the run was called off or its lease ends soon
   */
  begin(decide: () => Promise<ProcessResult>): Promise<ProcessResult>;
  /** Whether the run has not begun; it never begins after that, and its workflow ends without leads. */
  callOff(): boolean;
}

/** As long as the start of a workflow may take, and enough to begin, in milliseconds. */
export const FIRST_LEASE_MS = 5_000;

const NO_LEADS: ProcessResult = { verdicts: [], open: [], dueInMs: 0 };

export function createFirstRun(clock: Clock): FirstRun {
  const { lease, leaseUntil } = newLease(clock, FIRST_LEASE_MS);
  const { promise: result, resolve } = Promise.withResolvers<ProcessResult>();
  // Not every started workflow reaches an activity that awaits its result.
  result.catch(() => undefined);
  let state: 'new' | 'begun' | 'off' = 'new';
  return {
    lease,
    leaseUntil,
    result,
    leaseLead: (lead) => ({
      ...lead,
      run: lease.id,
      lease_until: leaseUntil,
      takes: lead.takes + 1,
    }),
    begin(decide) {
      const isLong = lease.validUntilMs - clock.monotonic() >= SHORT_LEASE_MS;
      if (state !== 'new' || !isLong)
        return Promise.reject(new Error('The run was called off, or its lease ends soon.'));
      state = 'begun';
      const deciding = decide();
      resolve(deciding);
      return deciding;
    },
    callOff() {
      if (state === 'begun') return false;
      state = 'off';
      resolve(NO_LEADS);
      return true;
    },
  };
}
