/** The webhook of a supplier: receives each lead that was answered `pending`, once it is decided. */
import { z } from 'zod';
import { Instant } from './shared.js';

export const SupplierWebhook = z.object({
  url: z.string(),
  /** Names as they are, values hidden. */
  headers: z.record(z.string(), z.string()),
  /** disabled: by the service, because nothing arrived for days. */
  status: z.enum(['active', 'paused', 'disabled']),
  disabled_reason: z.string().nullable(),
  /** Since when nothing has arrived; null while it is healthy. */
  failing_since: Instant.nullable(),
  /** How many messages wait to be sent, counted up to 1,000. */
  waiting: z.number().int(),
  /** The previous secret signs too until then. */
  previous_secret_until: Instant.nullable(),
  created_at: Instant,
  /** Newest first, at most 20. */
  attempts: z.array(
    z.object({
      id: z.string(),
      lead_id: z.string().nullable(),
      at: Instant,
      state: z.enum(['waiting', 'delivered', 'parked']),
      attempts: z.number().int(),
      http_status: z.number().int().nullable(),
      reason: z.string().nullable(),
      next_at: Instant.nullable(),
    }),
  ),
  /** An example of a message. */
  example: z.looseObject({}),
});
