/** Begins a run. */
import { randomUUID } from 'node:crypto';
import type { Clock } from '../lib/clock.js';
import type { Lease } from './task.js';

/** In the durable lane, in milliseconds: longer than any buyer may take (30 s); a failover extends it. */
export const WAITING_LEASE_MS = 35_000;

export interface NewLease {
  lease: Lease;
  now: Date;
  /** The same as `lease.validUntilMs`, as it is stored on the leads. */
  leaseUntil: Date;
}

/**
 * One instant on both clocks, and until when the leads acquired now are leased to the run. The monotonic clock is read
 * first: a process that is stopped between the two reads takes its lease for shorter than it is, never for longer.
 */
export function newLease(clock: Clock, leaseMs: number): NewLease {
  const lease = { id: randomUUID(), validUntilMs: clock.monotonic() + leaseMs };
  const now = clock.now();
  return { lease, now, leaseUntil: new Date(Number(now) + leaseMs) };
}
