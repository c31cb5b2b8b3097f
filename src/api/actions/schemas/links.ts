/** The terms on which a buyer takes, and a supplier sends, a campaign's leads. */
import { z } from 'zod';
import { DeliveryPatch } from '../../../account/buyers/deliverySchema.js';
import { MarginPatch } from '../../../account/campaigns/pingSchema.js';
import { caps, DailyPingCap } from '../../../account/capsSchema.js';
import { Priority, RevenueShare, States, Weight } from '../../../account/links/termsSchema.js';
import { Money } from '../../../account/moneySchema.js';
import { Filters } from '../../../fields/filterSchema.js';
import { Schedule } from '../../../fields/scheduleSchema.js';
import { ZipArea } from '../../../fields/zipsSchema.js';
import { published } from '../../../lib/schema/published.js';
import { ActiveStatus, id } from './common.js';

export const buyerLinkKey = { campaign_id: id('campaign'), buyer_id: id('buyer') };
export const buyerTerms = {
  status: ActiveStatus.optional(),
  price: Money.optional().describe("What the buyer pays, in the account's currency"),
  priority: Priority.optional(),
  weight: Weight.optional(),
  states: States.optional(),
  zips: published(ZipArea)
    .nullable()
    .optional()
    .describe('Five-digit codes, or a radius around some; null: everywhere'),
  filters: Filters.optional(),
  schedule: published(Schedule)
    .nullable()
    .optional()
    .describe("When the buyer takes leads, in the account's time zone; null: always"),
  when_closed: z.enum(['SKIP', 'HOLD']).optional().describe('HOLD: leads wait until it opens'),
  when_unavailable: z
    .enum(['NEXT', 'WAIT'])
    .optional()
    .describe('WAIT: leads wait for this buyer when it does not answer'),
  ...caps,
  margin: MarginPatch.nullable()
    .optional()
    .describe('In ping-post, in the place of that of the campaign; null: what the campaign says'),
  daily_ping_cap: DailyPingCap.optional().describe(
    'Most pings a day that it bids on, or is asked about; null: any number',
  ),
  conversion_price: Money.nullable()
    .optional()
    .describe('What a converted lead brings where the buyer names no sum; null: its price'),
  delivery: DeliveryPatch.nullable()
    .optional()
    .describe(
      "How this campaign's leads reach the buyer where it differs from the buyer's own delivery: only what is named " +
        'is overridden, null takes a setting back, and null for the whole takes back all of them',
    ),
};

export const supplierLinkKey = { campaign_id: id('campaign'), supplier_id: id('supplier') };
const costMode = z.enum(['FIXED', 'REVENUE_SHARE', 'NONE']);
const costs = {
  cost_per_lead: Money.optional().describe('What FIXED costs, for each lead that is sold'),
  revenue_share: RevenueShare.optional(),
};
export const costTerms = { cost_mode: costMode, ...costs };
export const supplierTerms = {
  status: ActiveStatus.optional(),
  cost_mode: costMode.optional(),
  ...costs,
  ...caps,
  daily_ping_cap: DailyPingCap.optional().describe('Most of its pings a day; null: any number'),
};
