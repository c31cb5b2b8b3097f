/** What past leads would have done, on the wire. */
import { z } from 'zod';
import { Instant, Money, orNull, recordId } from './common.js';

const End = z.object({
  status: z
    .string()
    .describe(
      'As of leads; REFUSED: the supplier would have received 403. SELLING counts as ACCEPTED',
    ),
  buyers: z
    .array(
      z.object({
        buyer_id: recordId('buyer'),
        name: z.string().nullable().describe('null: it is gone'),
      }),
    )
    .describe('Who bought it'),
  revenue: Money,
  cost: Money,
  profit: Money,
});
const Sum = z.object({
  sold: z.number().int().describe('Leads that were sold'),
  sales: z.number().int().describe('Sales, of which a lead may have several'),
  revenue: Money,
  cost: Money,
  profit: Money,
});
const money = "As agreed at the sale; later outcomes and returns don't count";

export const PreviewView = z.object({
  replayed: orNull(z.enum(['equal', 'differs', 'trimmed'])).describe(
    'With lead_id: whether its trail follows from the version that decided it; trimmed: its trail has lost steps',
  ),
  campaign_id: recordId('campaign'),
  version: z.number().int().describe('The version that the changes were laid over'),
  totals: z
    .object({
      leads: z.number().int().describe('Leads that were compared'),
      changed: z.number().int().describe('Of these, those that would have done something else'),
      assumed: z
        .number()
        .int()
        .describe('Of these, those for which a buyer is only taken to accept'),
      left_out: z
        .number()
        .int()
        .describe('Leads without a decision yet, or with an incomplete trail'),
      before: Sum.describe(`What happened. ${money}`),
      after: Sum.describe('What would have happened'),
    })
    .describe('The leads together'),
  buyers: z
    .array(
      z.object({
        buyer_id: recordId('buyer'),
        name: z.string().nullable().describe('null: it is gone'),
        sales_before: z.number().int().describe('How many it bought'),
        sales_after: z.number().int().describe('How many it would have bought'),
        revenue_before: Money,
        revenue_after: Money,
      }),
    )
    .describe('Each buyer that bought, or would have bought'),
  leads: z
    .array(
      z.object({
        lead_id: recordId('lead'),
        created_at: Instant.describe('When it was received, UTC'),
        changed: z.boolean().describe('It would have done something else'),
        before: End.describe('What happened'),
        after: End.extend({
          reason: z.string().nullable().describe('Why it would not have been sold; null: sold'),
          assumed: z
            .array(z.string())
            .describe('Ids of buyers that were not asked in fact, and are taken to accept it'),
        }).describe('What would have happened'),
      }),
    )
    .describe('Newest first'),
});
