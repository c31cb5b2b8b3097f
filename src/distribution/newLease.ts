/** How a run begins. */
import { randomUUID } from 'node:crypto';
import type { Clock } from '../lib/clock.js';
import type { Lease } from './task.js';

/** In the durable lane: longer than any buyer may take (30 s), in milliseconds; a failover prolongs it. */
export const WAITING_LEASE_MS = 35_000;

export interface NewLease {
  lease: Lease;
  now: Date;
  /** The same as `run.validUntil`, as the leads have it. */
  leaseUntil: Date;
}

/**
 * One instant on both clocks, and until when the leads that are taken now are the run's own. The monotonic one is read
 * first: a process that is stopped between the two believes its lease shorter than it is, never longer.
 */
export function newLease(clock: Clock, leaseMs: number): NewLease {
  const lease = { id: randomUUID(), validUntil: clock.monotonic() + leaseMs };
  const now = clock.now();
  return { lease, now, leaseUntil: new Date(Number(now) + leaseMs) };
}
