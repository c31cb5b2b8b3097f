/** How much waits for the buyers of an organization, in all. */
import { z } from 'zod';
import type { Queues } from '../../../deliveries/store/attention.js';
import { Instant, orNull } from './common.js';

const Count = z.number().int();

/** Waiting deliveries that are counted at most. */
export const QUEUED_MAX = 100_000;

export const WaitingDeliveries = z.object({
  deliveries: Count.describe('Deliveries that wait to be sent, including held ones'),
  unknown: Count.describe('Deliveries that were never answered and wait for a decision'),
  oldest_at: orNull(Instant).describe('Since when the oldest delivery waits; null: none waits'),
  is_cut: z.boolean().describe('true: more deliveries wait than are counted here'),
});

export function waitingIn({ queues, isCut }: Queues): z.input<typeof WaitingDeliveries> {
  const sum = (key: 'parked' | 'unknown') => queues.reduce((all, one) => all + one[key], 0);
  const oldest = queues.map(({ oldest: at }) => Number(at));
  return {
    deliveries: sum('parked'),
    unknown: sum('unknown'),
    oldest_at: oldest.length === 0 ? null : new Date(Math.min(...oldest)),
    is_cut: isCut,
  };
}
