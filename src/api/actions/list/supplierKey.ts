/** New keys for suppliers. */
import { z } from 'zod';
import { OverlapHours } from '../../../account/overlapSchema.js';
import { rotateSupplierKey } from '../../../account/suppliers/rotateSupplierKey.js';
import { defineAction } from '../action.js';
import { ACCESS } from '../exits.js';
import { id, Instant, recordId } from '../schemas/common.js';

export const rotateSupplierKeyAction = defineAction({
  name: 'rotate_supplier_key',
  cli: ['suppliers', 'rotate-key'],
  summary: 'Rotate the key of a supplier',
  description:
    'The new key is accepted at once. The previous one is also accepted until the overlap ends, and older ones are ' +
    'refused; those that the supplier has created in its portal stay, unless end_further_keys is true. All share the limits of the supplier. For a leaked key use overlap_hours 0, which refuses the old one ' +
    'at once, everywhere.',
  effect: 'destroy',
  idempotent: false,
  permission: 'suppliers:write',
  guards: 'key_changed',
  letsOut: [ACCESS],
  input: z.strictObject({
    supplier_id: id('supplier'),
    overlap_hours: OverlapHours.describe(
      'Hours for which the previous key is also accepted; 0: it is refused at once',
    ),
    end_further_keys: z
      .boolean()
      .default(false)
      .describe('Also refuse at once the keys that the supplier has created in its portal'),
  }),
  example: { supplier_id: 'c1b7d1e4-5b0a-4a43-9f0d-54f9f8d2b6e3', overlap_hours: 24 },
  output: z.object({
    supplier_id: recordId('supplier'),
    api_key: z.string().describe('The new key, which the supplier sends as x-api-key'),
    previous_until: Instant.nullable().describe(
      'Until then the previous key is also accepted; null: it is refused',
    ),
  }),
  async run({ supplier_id, overlap_hours, end_further_keys }, context) {
    const how = { overlapHours: overlap_hours, endsFurther: end_further_keys };
    const { api_key, previousUntil } = await rotateSupplierKey(context, supplier_id, how);
    return { supplier_id, api_key, previous_until: previousUntil };
  },
});
