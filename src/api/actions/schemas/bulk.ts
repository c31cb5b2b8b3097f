/** Commands on many records at once: what they are for, and the report of what they did. */
import { z } from 'zod';

/** Maximum records of one call. */
export const BULK_MAX = 1_000;
export const BULK_DEFAULT = 100;

export const dry_run = z
  .boolean()
  .default(false)
  .describe('true: only reports what the call would do, and changes nothing');

/** Of commands on deliveries: those of a filter change between two calls. */
export const dryRunOfDeliveries = dry_run.describe(
  'true: only reports what the call would do, and changes nothing. Other deliveries may match a filter by the time of ' +
    'the next call: to change exactly those of the report, pass its delivery_ids',
);

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
  .describe(
    'More match the filter: call again with this value; null: that was all, or the call named its records',
  );

/** What happened to one delivery. */
export const DeliveryReport = z.object({
  delivery_id: z.string().describe('The delivery'),
  lead_id: z.string().nullable().describe('Its lead; null: there is no such delivery'),
  buyer_id: z.string().nullable().describe('Its buyer; null: there is no such delivery'),
  result: z
    .enum([
      ...(['done', 'would_be_done', 'already_done', 'continues', 'not_tried'] as const),
      ...([
        'not_found',
        'not_waiting',
        'being_sent',
        'unknown_delivery',
        'busy',
        'already_resolved',
      ] as const),
      ...(['invalid', 'id_reused'] as const),
    ])
    .describe(
      'already_done: it was so before, and is not counted. continues: it takes longer and is carried out all the same, or ' +
        'an error left it unknown; message says which. not_tried: the call took too long or ended at an error. Others: refused',
    ),
  message: z.string().nullable().describe('Why it was not done; null: it was'),
});
