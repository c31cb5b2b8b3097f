/** Leads on the wire. */
import { z } from 'zod';
import { Instant, Money, recordId } from './common.js';

const Status = z
  .enum([
    'NEW',
    'PENDING',
    'ACCEPTED',
    'UNMATCHED',
    'DUPLICATE',
    'REJECTED',
    'EXPIRED',
    'WITHDRAWN',
  ])
  .describe(
    'NEW: not decided yet. PENDING: promised, and waits for a buyer. WITHDRAWN: its supplier was told 503, and nothing ' +
      'is owed',
  );
const Scalar = z.union([z.string(), z.number(), z.boolean()]);

export const TrailEntryView = z.object({
  at: Instant,
  step: z
    .enum([
      'received',
      'filters',
      'suppression',
      'duplicates',
      'routing',
      'caps',
      'delivery',
      'closing',
    ])
    .describe('What was looked at'),
  result: z.string().describe('What came of it'),
  buyer_id: z.string().nullable().describe('The buyer it is about; null: none in particular'),
  reason: z.string().nullable().describe('Why, in one word; null where there is nothing to say'),
  detail: z
    .looseObject({})
    .nullable()
    .describe('The values it was decided on; money in millionths'),
});
export const TrailView = z.array(TrailEntryView).describe('In the order in which it happened');

export const LeadView = z.object({
  id: recordId('lead'),
  campaign_id: recordId('campaign it was sent to'),
  supplier_id: recordId('supplier that sent it'),
  buyer_id: z.string().nullable().describe('Of the first sale'),
  status: Status,
  distribution_status: Status,
  is_test: z.boolean().describe('Whether it is a test lead'),
  state: z.string().nullable().describe('Two-letter code'),
  zip_code: z.string().nullable().describe('Zip code'),
  price: Money.describe('What the first buyer pays'),
  revenue: Money.describe('What all buyers pay'),
  cost: Money.describe('What the supplier gets'),
  profit: Money.describe('Revenue less cost'),
  created_at: Instant.describe('When it came, in UTC'),
  accepted_at: Instant.nullable().describe('When it was sold first, in UTC; null: not yet'),
  decided_at: Instant.nullable().describe('When it was decided, in UTC; null: not yet'),
  duplicate_of: z.string().nullable().describe('The earlier lead that it repeats'),
  plan_version: z.number().int().describe('The version of the campaign that decided it'),
  fields: z.record(z.string(), Scalar).describe('By the mapping of the campaign'),
  extra: z.record(z.string(), Scalar).describe('Fields outside the mapping'),
  sales: z
    .array(
      z.object({
        buyer_id: recordId('buyer'),
        price: Money.describe('What the buyer pays'),
        cost: Money.describe('What the supplier gets for this sale'),
        at: Instant.describe('When it was sold, in UTC'),
      }),
    )
    .describe('Every sale, in order'),
});
