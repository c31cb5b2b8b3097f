import type { LeadVerdict } from '../../workflows/messages.js';
import type { Admittable } from '../account/access/revalidate.js';
import type { IdempotencyDoc } from '../leads/store/intakeDocs.js';
import type { Redemption } from '../pings/store/pingRedemption.js';
import type { Admitted } from './admission.js';

/** A request on its way into a group. */
export interface IntakeItem extends Admittable<Admitted> {
  /** When the request arrived, on the monotonic clock. */
  receivedAt: number;
  /** Present when the request carries an Idempotency-Key. */
  idempotency?: { row: Pick<IdempotencyDoc, '_id' | 'body_hash'>; claimed: boolean };
  /** The ping that its lead redeems when it is stored. */
  redemption?: Redemption;
  /** The supplier's connection has closed: its lead is stored as broken. */
  left?: boolean;
}

/** The result of one request of a group. `join`: an earlier request has its key. `resent`: it was this lead's. */
export type GroupResult =
  | { kind: 'verdict'; verdict: LeadVerdict }
  | { kind: 'join'; row: IdempotencyDoc }
  | { kind: 'resent'; leadId: string };
