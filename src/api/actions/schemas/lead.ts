/** Leads on the wire. */
import { z } from 'zod';
import { FieldScalar } from '../../../fields/values.js';
import { ROUTING_REASONS } from '../../../leads/rules/loss.js';
import { SALE_OUTCOMES } from '../../../leads/rules/saleChange.js';
import { RowNames } from '../rowNames.js';
import { Instant, Money, orNull } from './common.js';

const DISTRIBUTED = [
  ...(['NEW', 'PENDING', 'ACCEPTED', 'UNMATCHED'] as const),
  ...(['DUPLICATE', 'REJECTED', 'EXPIRED', 'WITHDRAWN'] as const),
] as const;
const WORDS =
  'NEW: not decided yet. PENDING: accepted for a later decision, and waits for a buyer. WITHDRAWN: its supplier ' +
  'received 503, and nothing is owed';

/** The decision of the distribution. */
const LeadStatusName = z.enum(DISTRIBUTED).describe(WORDS);

/** Every status that answers show for a lead. */
export const ShownStatusName = z
  .enum([...DISTRIBUTED, ...SALE_OUTCOMES, 'RETURNED'])
  .describe(
    `${WORDS}. In lower case: the latest outcome that a buyer of the sold lead reported, or expired when the time ` +
      'limit passed. RETURNED: returned by every buyer',
  );
export const OutcomeName = z.enum(SALE_OUTCOMES);
const Outcome = orNull(OutcomeName);

/** One entry of a trail. */
export const TrailStep = z.object({
  at: Instant.describe('When it was decided, UTC'),
  step: z
    .enum([
      'received',
      'ping',
      'origin',
      'filters',
      'suppression',
      'duplicates',
      'routing',
      'caps',
      'delivery',
      'closing',
      'outcome',
    ])
    .describe('The step'),
  result: z.string().describe('The result of the step'),
  buyer_id: orNull(z.string()).describe('The buyer of the step; null: the step is about the lead'),
  reason: orNull(z.string()).describe("Why: a code, or a buyer's own words"),
  detail: orNull(z.looseObject({})).describe(
    "The values that decided it; money in the account's currency",
  ),
});

export const TrailView = z.array(TrailStep);

/** A lead in a list. */
export const LeadRow = z.object({
  id: z.string().describe('The lead'),
  campaign_id: z.string().describe('The campaign that it was sent to'),
  supplier_id: z.string().describe('The supplier that sent it'),
  buyer_id: z.string().nullable().describe('The buyer of the first sale; null: not sold'),
  status: ShownStatusName,
  outcome: Outcome.describe('The outcome that the buyer reported; null: none yet'),
  state: orNull(z.string()).describe('Two-letter code; null: not given'),
  zip_code: orNull(z.string()).describe('Null: not given'),
  cost: Money.describe('The amount that the supplier gets'),
  revenue: Money.describe('The amount that all buyers pay now; outcomes and returns change it'),
  price: Money.describe('The price of the first sale'),
  quality_score: z.number().nullable().describe('Null: not scored'),
  tags: z.array(z.string()).describe('Empty: none'),
  created_at: Instant.describe('When it was received, UTC'),
  accepted_at: orNull(Instant).describe('When it was first sold; null: not sold'),
  converted_at: orNull(Instant).describe('When a buyer first reported a conversion; null: never'),
  name: orNull(z.string()).describe('First and last name of the person; null: not given'),
  phone: orNull(z.string()).describe('Null: not given'),
  email: orNull(z.string()).describe('Null: not given'),
  reason: orNull(z.string()).describe(
    'How it ended, or why no further buyer got it; null: its status says it',
  ),
  unsold_reason: orNull(z.enum(ROUTING_REASONS)).describe(
    'Why no buyer got it: that of the buyer which came nearest; null: sold, undecided, or refused, which reason says',
  ),
  ...RowNames,
});

/** Another lead of the same person. */
export const RelatedLead = z.object({
  id: z.string().describe('The lead'),
  created_at: Instant.describe('When it was received, UTC'),
  status: ShownStatusName,
});

export const LeadView = LeadRow.extend({
  distribution_status: LeadStatusName.describe('The decision of the distribution'),
  is_test: z.boolean().describe('A test lead has no cost and no revenue'),
  profit: Money.describe('revenue less cost'),
  decided_at: orNull(Instant).describe('When its status was decided; null: not yet'),
  duplicate_of: orNull(z.string()).describe('The earlier lead of the same person'),
  resale_of: orNull(z.string()).describe('The lead that it resells'),
  ping_id: orNull(z.string()).describe('The ping that it redeemed; null: none'),
  has_consent: z.boolean().describe('true: get_consent_record shows what its person agreed to'),
  workflow_url: orNull(z.string()).describe(
    'Its workflows in the Temporal UI; null: the address of that is not known',
  ),
  trail_dropped: z.number().int().describe('Steps that its trail omits in the middle'),
  plan_version: z.number().int().describe('The version of the campaign that decided it'),
  fields: z.record(z.string(), FieldScalar).describe("Fields of the campaign's mapping"),
  extra: z.record(z.string(), FieldScalar).describe('Fields outside the mapping'),
  sales: z
    .array(
      z.object({
        buyer_id: z.string().describe('The buyer of the sale'),
        buyer_name: RowNames.buyer_name,
        delivery_id: z.string().describe('The delivery that made the sale'),
        price: Money.describe('The price of the sale'),
        revenue: Money.describe('The amount that this buyer pays now'),
        cost: Money.describe('The amount that the supplier gets for this sale now'),
        at: Instant.describe('When it was sold, UTC'),
        outcome: Outcome.describe('The outcome that this buyer reported; null: none yet'),
        outcome_at: orNull(Instant).describe('When the outcome was recorded'),
        conversion_revenue: orNull(Money).describe(
          'Revenue of the conversion as reported; it counts while the sale is converted',
        ),
        lead_value: orNull(Money).describe("The buyer's own deal value; not part of any total"),
        note: orNull(z.string()).describe('The note of the buyer'),
        returned_at: orNull(Instant).describe('When it was returned; null: not returned'),
        conversion_price: orNull(Money).describe(
          'What a conversion costs where no revenue is reported; null: nothing was agreed',
        ),
        outcome_due: orNull(Instant).describe('Until when an outcome is awaited; null: no end'),
      }),
    )
    .describe('One for each buyer that bought it, the first sale first'),
});
