/** Leads on the wire. */
import { z } from 'zod';
import { Instant, Money } from './common.js';

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

export const TrailView = z.array(
  z.object({
    at: Instant,
    step: z.enum([
      'received',
      'filters',
      'suppression',
      'duplicates',
      'routing',
      'caps',
      'delivery',
      'closing',
    ]),
    result: z.string(),
    buyer_id: z.string().nullable(),
    reason: z.string().nullable(),
    detail: z
      .looseObject({})
      .nullable()
      .describe('The values it was decided on; money in millionths'),
  }),
);

export const LeadView = z.object({
  id: z.string(),
  campaign_id: z.string(),
  supplier_id: z.string(),
  buyer_id: z.string().nullable().describe('Of the first sale'),
  status: Status,
  distribution_status: Status,
  is_test: z.boolean(),
  state: z.string().nullable(),
  zip_code: z.string().nullable(),
  price: Money.describe('What the first buyer pays'),
  revenue: Money.describe('What all buyers pay'),
  cost: Money.describe('What the supplier gets'),
  profit: Money,
  created_at: Instant,
  accepted_at: Instant.nullable(),
  decided_at: Instant.nullable(),
  duplicate_of: z.string().nullable(),
  plan_version: z.number().int().describe('The version of the campaign that decided it'),
  fields: z.record(z.string(), Scalar).describe('By the mapping of the campaign'),
  extra: z.record(z.string(), Scalar).describe('Fields outside the mapping'),
  sales: z.array(z.object({ buyer_id: z.string(), price: Money, cost: Money, at: Instant })),
});
