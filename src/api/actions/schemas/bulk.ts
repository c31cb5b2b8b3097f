/** Commands on many records at once: what they are for, and the report of what they did. */
import { z } from 'zod';

/** Maximum records of one call. */
export const BULK_MAX = 1_000;
export const BULK_DEFAULT = 100;

export const dry_run = z
  .boolean()
  .default(false)
  .describe('true: only reports what the call would do, and changes nothing');

export const bulkMax = z
  .number()
  .int()
  .min(1)
  .max(BULK_MAX)
  .optional()
  .describe(`Maximum handled by one call, 1 to ${BULK_MAX}; default ${BULK_DEFAULT}`);

export const continueFrom = z
  .string()
  .max(300)
  .optional()
  .describe('continue_from of the previous call with the same filter');

export const continuesFrom = z
  .string()
  .nullable()
  .describe('More match: call again with this value; null: that was all');

/** What happened to one delivery. */
export const DeliveryReport = z.object({
  delivery_id: z.string().describe('The delivery'),
  lead_id: z.string().nullable().describe('Its lead; null: there is no such delivery'),
  buyer_id: z.string().nullable().describe('Its buyer; null: there is no such delivery'),
  result: z
    .enum([
      ...(['done', 'would_be_done', 'continues', 'not_tried', 'not_found', 'not_waiting'] as const),
      ...(['being_sent', 'unknown_delivery', 'busy', 'already_resolved'] as const),
      ...(['invalid', 'id_reused'] as const),
    ])
    .describe(
      'continues: it takes longer, and is carried out all the same. not_tried: the call took too long. Others: refused',
    ),
  message: z.string().nullable().describe('Why it was not done; null: it was'),
});
