/** Ping-post on the wire: settings of campaigns and buyers, and pings themselves. */
import { z } from 'zod';
import { BuyerPingSchema } from '../../../account/buyers/buyerPing.js';
import { MarginView, PingSettingsSchema } from '../../../account/campaigns/pingSchema.js';
import { viewShape } from '../../../lib/schema/wireOf.js';
import { Instant, Money, orNull, recordId } from './common.js';

export const PingSettingsView = z.object({
  ...viewShape(PingSettingsSchema),
  margin: MarginView,
});

export const BuyerPingView = z.object({
  ...viewShape(BuyerPingSchema),
  fields: z
    .array(z.string())
    .describe('Fields sent in addition to those that every ping must have'),
  headers: z.record(z.string(), z.string()).describe('Names of headers; their values are hidden'),
  response: orNull(z.looseObject({})).describe('Rules for reading its answer; null: the defaults'),
});

export const PingStateName = z
  .enum(['open', 'redeemed', 'expired', 'refused'])
  .describe('open: a lead can still be posted to it; refused: no buyer bid');
const Refusal = orNull(
  z.enum(['filtered', 'suppressed', 'duplicate', 'no_buyer', 'paused', 'capped']),
).describe('Why it was refused; null: it was not');

const RecordName = orNull(z.string()).describe('Its name; null: it has since been deleted');
const Latency = orNull(z.number()).describe(
  'Latency of a live bid, in milliseconds; null: no request was sent',
);

const BidView = z.object({
  buyer_id: recordId('buyer'),
  buyer_name: RecordName,
  price: Money.describe('What the buyer pays'),
  net: Money.describe('The price less the margin; bids are ordered by it'),
  bid: Money.describe(
    'The amount that the supplier gets: shown as the bid, and recorded as the cost',
  ),
  source: z.enum(['static', 'live']).describe('live: requested from the buyer; static: its price'),
  reference: orNull(z.string()).describe("The buyer's own reference for the ping"),
  latency_ms: Latency,
});

const UnbidView = z.object({
  buyer_id: recordId('buyer'),
  buyer_name: RecordName,
  reason: z.string().describe('Why it did not bid, or why its bid does not count'),
  why: z.string().describe('The same in a sentence'),
  detail: z.looseObject({}).describe('The values that were compared'),
  latency_ms: Latency,
});

export const PingView = z.object({
  ping_id: recordId('ping'),
  campaign_id: recordId('campaign'),
  campaign_name: RecordName,
  supplier_id: recordId('supplier'),
  supplier_name: RecordName,
  plan_version: z.number().int().describe('The version of the campaign that decided it'),
  is_test: z.boolean().describe('Whether it was a test ping'),
  state: PingStateName,
  reason: Refusal,
  filter_errors: z.array(z.looseObject({})).describe('Which filters it failed'),
  fields: z.array(z.string()).describe('Names of its fields; the values are not stored'),
  bids: z.array(BidView).describe('Best first'),
  unbid: z.array(UnbidView).describe('Buyers of the campaign without a bid'),
  lead_id: orNull(z.string()).describe('The lead that was posted to it'),
  lead_status: orNull(z.string()).describe(
    'The status of that lead, as get_lead shows it; null: none was posted',
  ),
  won_by: orNull(z.string()).describe('The buyer of that lead; null: it was not sold'),
  created_at: Instant.describe('When it was received, in UTC'),
  expires_at: Instant.describe('Until then a lead can be posted to it'),
  redeemed_at: orNull(Instant).describe('When a lead was posted to it'),
});

export const ListedPingView = z.object({
  ping_id: recordId('ping'),
  created_at: Instant.describe('When it was received, in UTC'),
  state: PingStateName,
  reason: Refusal,
  best_bid: orNull(Money).describe('What its supplier was offered; null: no buyer bid'),
  bids: z
    .array(
      z.object({
        buyer_id: recordId('buyer'),
        buyer_name: RecordName,
        price: Money.describe('What the buyer pays'),
        bid: Money.describe('The amount that the supplier gets'),
      }),
    )
    .describe('The 10 best bids, the best first'),
  lead_id: orNull(z.string()).describe('The lead that was posted to it'),
  campaign_id: recordId('campaign'),
  campaign_name: RecordName,
  supplier_id: recordId('supplier'),
  supplier_name: RecordName,
  is_test: z.boolean().describe('Whether it was a test ping'),
  expires_at: Instant.describe('Until then a lead can be posted to it'),
  redeemed_at: orNull(Instant).describe('When a lead was posted to it'),
});
