/** The wire contract of leads/lookup (contract 3.5). */
import { z } from 'zod';
import { FilterFailure } from '../../lib/filterFailure.js';
import { IngestResult } from './ingest.js';

export const LookupQuery = z.object({
  id: z
    .string()
    .optional()
    .meta({
      description: 'The lead, by the id that ingest returned',
      examples: ['2d3f9a60-7a3d-4a53-9a51-0f2b6c9e7d10'],
    }),
  phone: z.string().optional().describe('Or by phone, with campaign_id'),
  email: z.string().optional().describe('Or by email, with campaign_id'),
  campaign_id: z.string().optional().describe('Campaign of the lead'),
});

export const LookupResult = z
  .object({
    data: IngestResult.shape.data
      .extend({
        status: z
          .enum(['NEW', 'ACCEPTED', 'UNMATCHED', 'DUPLICATE', 'REJECTED', 'EXPIRED'])
          .describe('NEW: not decided yet, and nothing is promised'),
        reason: z
          .enum(['filtered', 'supplier_capped'])
          .optional()
          .describe('REJECTED: the error code of ingest'),
        filter_errors: z.array(FilterFailure).optional().describe('Every rule the lead failed'),
        is_test: z.boolean().describe('Whether it is a test lead'),
        created_at: z.iso.datetime().describe('When it was received, in UTC'),
        decided_at: z.iso.datetime().optional().describe('When it was decided, in UTC'),
        outcome: z
          .string()
          .nullable()
          .optional()
          .describe(
            'The outcome that its buyer reported, if the campaign shares it; null: none yet',
          ),
        matches: z
          .number()
          .int()
          .describe('Number of your leads that match, at most 100; this is the newest'),
      })
      .describe('The newest lead that matches'),
  })
  .describe('The lead.');
