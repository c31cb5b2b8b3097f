/** Leads on the wire. */
import { z } from 'zod';
import { Instant, Money } from './common.js';

/** Every status that a lead is shown with. */
export const LeadStatusName = z
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

/** One entry of a trail. */
export const TrailStep = z.object({
  at: Instant.describe('When it was decided, UTC'),
  step: z
    .enum([
      'received',
      'ping',
      'filters',
      'suppression',
      'duplicates',
      'routing',
      'caps',
      'delivery',
      'closing',
      'outcome',
    ])
    .describe('Which step it was'),
  result: z.string().describe('What came of it'),
  buyer_id: z.string().nullable().describe('The buyer it is about; null: about the lead'),
  reason: z.string().nullable().describe("Why: a code, or a buyer's own words"),
  detail: z
    .looseObject({})
    .nullable()
    .describe('The values it was decided on; money in millionths'),
});

export const TrailView = z.array(TrailStep);

/** A lead in a list. */
export const LeadRow = z.object({
  id: z.string().describe('The lead'),
  campaign_id: z.string().describe('The campaign it came for'),
  supplier_id: z.string().describe('The supplier that sent it'),
  buyer_id: z.string().nullable().describe('Of the first sale; null: not sold'),
  status: LeadStatusName,
  outcome: z.string().nullable().describe('What the buyer made of it; null: nothing said yet'),
  state: z.string().nullable().describe('Two-letter code; null: not given'),
  zip_code: z.string().nullable().describe('Null: not given'),
  cost: Money.describe('What the supplier gets'),
  revenue: Money.describe('What all buyers pay'),
  price: Money.describe('What the first buyer pays'),
  quality_score: z.number().nullable().describe('Null: not scored'),
  tags: z.array(z.string()).describe('Empty: none'),
  created_at: Instant.describe('When it came, UTC'),
  accepted_at: Instant.nullable().describe('When it was first sold; null: not sold'),
  converted_at: Instant.nullable().describe(
    'When the buyer said that it converted; null: it has not',
  ),
});

export const LeadView = LeadRow.extend({
  distribution_status: LeadStatusName.describe('What distribution decided'),
  is_test: z.boolean().describe('A test lead: it costs and brings nothing'),
  profit: Money.describe('revenue less cost'),
  decided_at: Instant.nullable().describe('When its status was decided; null: not yet'),
  duplicate_of: z.string().nullable().describe('The earlier lead of the same person'),
  plan_version: z.number().int().describe('The version of the campaign that decided it'),
  fields: z.record(z.string(), Scalar).describe('By the mapping of the campaign'),
  extra: z.record(z.string(), Scalar).describe('Fields outside the mapping'),
  sales: z
    .array(
      z.object({
        buyer_id: z.string().describe('Who bought it'),
        price: Money.describe('What this buyer pays'),
        cost: Money.describe('What the supplier gets for this sale'),
        at: Instant.describe('When it was sold, UTC'),
      }),
    )
    .describe('One for each buyer that took it, the first sale first'),
});
