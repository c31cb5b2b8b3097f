/** How buyers and suppliers do, in the rows of their lists. */
import { z } from 'zod';
import { Instant, Money, orNull, recordId } from './common.js';

const Count = z.number().int();

/** The input of a list that can show them. */
export const figuresInput = {
  search: z.string().max(120).optional().describe('Only names that contain this, in any case'),
  figures: z.boolean().default(false).describe('true: also how each does today'),
};

const week = z
  .array(Count)
  .describe("Leads of each of the last 7 days, in the account's time zone, today last");
const portal = {
  portal_open: z.boolean().describe('Its portal is open'),
  people: Count.describe('People who have access to its portal'),
};

export const BuyerFigures = z.object({
  breaker: z
    .enum(['closed', 'open', 'half-open'])
    .describe('open: nothing is sent. half-open: one delivery at a time is tried'),
  failures: Count.describe('Failed requests in a row'),
  queue_held: z.boolean().describe('An operator holds the whole queue'),
  waiting: Count.describe('Deliveries to be sent, including held ones'),
  unknown: Count.describe('Deliveries that were never answered'),
  today: z
    .object({
      leads: Count.describe('Leads that it bought'),
      revenue: Money.describe('What it pays for them'),
      cost: Money.describe('What suppliers get for them'),
    })
    .describe('Leads received today'),
  week,
  last_lead_at: orNull(Instant).describe('When it last accepted a lead, test leads included'),
  ...portal,
});

export const SupplierFigures = z.object({
  today: z
    .object({
      leads: Count.describe('Leads received from it'),
      accepted: Count.describe('Sold'),
      duplicate: Count.describe('Repeats'),
      revenue: Money.describe('What buyers pay for them'),
      cost: Money.describe('What it gets for them'),
    })
    .describe('Leads received today'),
  week,
  last_lead_at: orNull(Instant).describe('When its latest live lead was received'),
  silent_since: orNull(Instant).describe(
    'The same, where no lead came for three times the usual gap of the last 7 days; null: it is not silent',
  ),
  ...portal,
});

const link = {
  campaign_id: recordId('campaign'),
  campaign_name: orNull(z.string()).describe('Name of the campaign; null: it is gone'),
  campaign_status: orNull(z.string()).describe('Of the campaign; null: it is gone'),
};

/** The campaigns of a buyer or supplier, beside its terms there. */
export const linked = <T extends z.ZodRawShape>(terms: T) =>
  z.array(z.object({ ...link, ...terms })).describe('Its campaigns with its terms, at most 500');
