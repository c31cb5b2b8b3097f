/** Leads on the wire. */
import { z } from 'zod';
import { Instant, Money } from './common.js';

const DISTRIBUTED = [
  ...(['NEW', 'PENDING', 'ACCEPTED', 'UNMATCHED'] as const),
  ...(['DUPLICATE', 'REJECTED', 'EXPIRED', 'WITHDRAWN'] as const),
] as const;
const OUTCOMES = ['pending', 'converted', 'not_qualified', 'expired'] as const;
const WORDS =
  'NEW: not decided yet. PENDING: promised, and waits for a buyer. WITHDRAWN: its supplier was told 503, and nothing ' +
  'is owed';

/** What distribution decided. */
const LeadStatusName = z.enum(DISTRIBUTED).describe(WORDS);

/** Every status that a lead is shown with. */
export const ShownStatusName = z
  .enum([...DISTRIBUTED, ...OUTCOMES, 'RETURNED'])
  .describe(
    `${WORDS}. In small letters: the last outcome that a buyer of the sold lead has said, or that the time for one is over. ` +
      'RETURNED: given back by every buyer',
  );
export const OutcomeName = z.enum(OUTCOMES);
const Outcome = OutcomeName.nullable();
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
    .describe("The values it was decided on; money in the account's currency"),
});

export const TrailView = z.array(TrailStep);

/** A lead in a list. */
export const LeadRow = z.object({
  id: z.string().describe('The lead'),
  campaign_id: z.string().describe('The campaign it came for'),
  supplier_id: z.string().describe('The supplier that sent it'),
  buyer_id: z.string().nullable().describe('Of the first sale; null: not sold'),
  status: ShownStatusName,
  outcome: Outcome.describe('What the buyer made of it; null: nothing said yet'),
  state: z.string().nullable().describe('Two-letter code; null: not given'),
  zip_code: z.string().nullable().describe('Null: not given'),
  cost: Money.describe('What the supplier gets'),
  revenue: Money.describe('What all buyers pay now: outcomes and returns change it'),
  price: Money.describe('What was agreed with the first buyer'),
  quality_score: z.number().nullable().describe('Null: not scored'),
  tags: z.array(z.string()).describe('Empty: none'),
  created_at: Instant.describe('When it came, UTC'),
  accepted_at: Instant.nullable().describe('When it was first sold; null: not sold'),
  converted_at: Instant.nullable().describe(
    'When the first buyer of those for whom it converted said so; null: for none',
  ),
});

export const LeadView = LeadRow.extend({
  distribution_status: LeadStatusName.describe('What distribution decided'),
  is_test: z.boolean().describe('A test lead: it costs and brings nothing'),
  profit: Money.describe('revenue less cost'),
  decided_at: Instant.nullable().describe('When its status was decided; null: not yet'),
  duplicate_of: z.string().nullable().describe('The earlier lead of the same person'),
  resale_of: z.string().nullable().describe('The lead whose data it has, to be sold again'),
  plan_version: z.number().int().describe('The version of the campaign that decided it'),
  fields: z.record(z.string(), Scalar).describe('By the mapping of the campaign'),
  extra: z.record(z.string(), Scalar).describe('Fields outside the mapping'),
  sales: z
    .array(
      z.object({
        buyer_id: z.string().describe('Who bought it'),
        price: Money.describe('What was agreed'),
        revenue: Money.describe('What this buyer pays now'),
        cost: Money.describe('What the supplier gets for this sale now'),
        at: Instant.describe('When it was sold, UTC'),
        outcome: Outcome.describe('What this buyer made of it; null: nothing said yet'),
        outcome_at: Instant.nullable().describe('Since when it is so'),
        conversion_revenue: Money.nullable().describe(
          'What the conversion paid, as it was said; it counts while the sale is converted',
        ),
        lead_value: Money.nullable().describe("The buyer's own deal value: part of no sum"),
        note: z.string().nullable().describe('What the buyer wrote'),
        returned_at: Instant.nullable().describe('When it was given back; null: it was not'),
      }),
    )
    .describe('One for each buyer that took it, the first sale first'),
});
