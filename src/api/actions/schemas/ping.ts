/** Ping-post on the wire: settings of campaigns and buyers, and pings themselves. */
import { z } from 'zod';
import { Instant, Money, recordId } from './common.js';

export const MarginView = z
  .union([
    z.object({ percent: z.number().describe("Of the buyer's price") }),
    z.object({ fixed: Money }),
  ])
  .describe("What is kept of a buyer's price");

export const PingSettingsView = z.object({
  margin: MarginView,
  min_bid: Money.nullable().describe('Lower bids are not made; null: any'),
  max_bid: Money.nullable().describe('Higher bids are lowered to it; null: none'),
  bid_decimals: z.number().int().describe('Bids are rounded down to so many'),
  reveal_buyers: z.boolean().describe('False: suppliers see ids that stand for buyers'),
  deadline_ms: z.number().int().describe('By then all buyers have been heard, in milliseconds'),
  check_duplicates: z.boolean().describe('A ping for a lead that would be a duplicate is refused'),
  on_difference: z
    .enum(['REFUSE', 'WARN'])
    .describe('What becomes of a lead that says otherwise than its ping did'),
});

export const BuyerPingView = z.object({
  enabled: z.boolean().describe('False: its price is its bid'),
  url: z.string().describe('Where it is asked for bids'),
  timeout_ms: z.number().int().describe('How long it is waited for, in milliseconds'),
  fields: z.array(z.string()).describe('Told beside those that every ping must have'),
  headers: z.record(z.string(), z.string()).describe('Names of headers; their values are hidden'),
  response: z.looseObject({}).nullable().describe('Own rules for reading its answer'),
});

const BuyerName = z.string().nullable().describe('Its name; null: it was deleted since');
const Latency = z.number().nullable().describe('Of a live bid, in milliseconds; null: not asked');

const BidView = z.object({
  buyer_id: recordId('buyer'),
  buyer_name: BuyerName,
  price: Money.describe('What the buyer pays'),
  net: Money.describe('The price less the margin: what bids are ordered by'),
  bid: Money.describe('What the supplier gets: what it was shown, and what is booked as cost'),
  source: z.enum(['static', 'live']).describe('live: the buyer was asked; static: its price'),
  reference: z.string().nullable().describe("The buyer's own name for the ping"),
  latency_ms: Latency,
});

const UnbidView = z.object({
  buyer_id: recordId('buyer'),
  buyer_name: BuyerName,
  reason: z.string().describe('Why it did not bid, or why its bid does not count'),
  detail: z.looseObject({}).describe('The values that were compared'),
  latency_ms: Latency,
});

export const PingView = z.object({
  ping_id: recordId('ping'),
  campaign_id: recordId('campaign'),
  supplier_id: recordId('supplier'),
  plan_version: z.number().int().describe('The version of the campaign that decided it'),
  is_test: z.boolean().describe('Whether it was a test ping'),
  state: z
    .enum(['open', 'redeemed', 'expired', 'refused'])
    .describe('open: a lead can still be posted to it; refused: nobody bid'),
  reason: z
    .enum(['filtered', 'suppressed', 'duplicate', 'no_buyer', 'paused', 'capped'])
    .nullable()
    .describe('Of a refused one'),
  filter_errors: z.array(z.looseObject({})).describe('Which filters it failed'),
  fields: z.array(z.string()).describe('Which fields it had; what they held is not kept'),
  bids: z.array(BidView).describe('Best first'),
  unbid: z.array(UnbidView).describe('Buyers of the campaign without a bid'),
  lead_id: z.string().nullable().describe('The lead that was posted to it'),
  created_at: Instant.describe('When it came, in UTC'),
  expires_at: Instant.describe('A lead can be posted to it before this'),
  redeemed_at: Instant.nullable().describe('When a lead was posted to it'),
});
