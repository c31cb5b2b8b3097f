/** The wire contract of leads/lookup (extensions, "Ingest"). */
import { z } from 'zod';
import { FilterFault } from './error.js';
import { IngestResult } from './ingest.js';

export const LookupQuery = z.object({
  id: z.string().optional().describe('The lead, by the id that ingest gave'),
  phone: z.string().optional().describe('Or by phone, with campaign_id'),
  email: z.string().optional().describe('Or by email, with campaign_id'),
  campaign_id: z.string().optional().describe('Campaign of the lead'),
});

export const LookupResult = z.object({
  data: IngestResult.shape.data.extend({
    status: z
      .enum(['NEW', 'ACCEPTED', 'UNMATCHED', 'DUPLICATE', 'REJECTED', 'EXPIRED'])
      .describe('NEW: not decided yet, nothing is promised'),
    reason: z
      .enum(['filtered', 'supplier_capped'])
      .optional()
      .describe('REJECTED: the error code of ingest'),
    filter_errors: z.array(FilterFault).optional().describe('Every rule the lead failed'),
    is_test: z.boolean(),
    created_at: z.iso.datetime(),
    decided_at: z.iso.datetime().optional(),
    matches: z
      .number()
      .int()
      .describe('How many of your leads the look-up fits, at most 100; this is the newest'),
  }),
});
