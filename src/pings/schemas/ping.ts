/** The wire contract of a ping (contract 5.1). */
import { z } from 'zod';
import { FieldScalar } from '../../fields/values.js';

export const PingBody = z
  .object({
    flo_campaign_id: z.string().min(1).describe('The campaign of the lead'),
    flo_supplier_id: z.string().min(1).describe('The supplier that asks'),
    test_lead: z
      .union([z.boolean(), z.enum(['true', 'false', '1', '0', ''])])
      .nullable()
      .optional()
      .describe('When true, the ping is a test: only buyers in Test Mode bid, and nothing counts'),
  })
  .catchall(FieldScalar.nullable())
  .meta({
    description:
      "The keys below and any fields of the campaign's mapping: those that are ping_required must be present, and " +
      'fields that are absent are checked at the post. An empty text or null counts as missing.',
    examples: [
      {
        flo_campaign_id: '5f3e7c1a-6a0e-4d7b-9f57-0c8f2f1f6a11',
        flo_supplier_id: 'c1b7d1e4-5b0a-4a43-9f0d-54f9f8d2b6e3',
        state: 'CA',
        zip_code: '94103',
      },
    ],
  });

const Accepted = z
  .object({
    accepted: z.literal(true),
    ping_id: z.string().describe('Signed token; the post carries it as flo_ping_id'),
    message: z.string().describe('The answer in words'),
    expires_at: z.iso.datetime().describe('The lead must be posted before then'),
    buyers: z
      .array(
        z.object({
          buyer_id: z
            .string()
            .describe('The buyer, or its alias; flo_buyer_id of the post may select it'),
          bid_price: z
            .number()
            .min(0)
            .describe('The amount that you get for the lead if this buyer accepts it'),
        }),
      )
      .min(1)
      .describe('The bids, best first'),
  })
  .describe('Buyers bid. These prices and their order hold until the ping expires.');

const Refused = z
  .object({
    accepted: z.literal(false),
    reason: z
      .enum(['filtered', 'suppressed', 'duplicate', 'no_buyer', 'paused', 'capped'])
      .describe('Why no buyer bids'),
    message: z.string().describe('The answer in words'),
  })
  .describe('No buyer bids now. Do not post the lead.');

export const PingResult = z.discriminatedUnion('accepted', [Accepted, Refused]).meta({
  description: 'The bids for such a lead, or the reason why no buyer bids.',
  examples: [
    {
      accepted: true,
      ping_id: 'eyJhbGciOiJIUzI1NiIsImtpZCI6IjAxMjM0NTY3In0.eyJqdGkiOiIuLi4ifQ.c2lnbmF0dXJl',
      message: '1 buyer bids. Post the lead with this ping_id as flo_ping_id before it expires.',
      expires_at: '2026-01-01T12:30:00.000Z',
      buyers: [{ buyer_id: '0a8f9c52-4d4e-4c55-9c5e-6a1a0e3f7b21', bid_price: 12.5 }],
    },
  ],
});
