/** The terms on which a buyer accepts, and a supplier sends, a campaign's leads. */
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
  price: Money.optional().describe("The price of a lead, in the account's currency"),
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
    .describe("When the buyer accepts leads, in the account's time zone; null: always"),
  when_closed: z.enum(['SKIP', 'HOLD']).optional().describe('HOLD: leads wait until it opens'),
  when_unavailable: z
    .enum(['NEXT', 'WAIT'])
    .optional()
    .describe('WAIT: leads wait for this buyer when it does not answer'),
  ...caps,
  margin: MarginPatch.nullable()
    .optional()
    .describe("In ping-post, instead of the campaign's margin; null: the campaign's margin"),
  daily_ping_cap: DailyPingCap.optional().describe(
    'Maximum pings a day that it bids on, or is asked about; null: unlimited',
  ),
  conversion_price: Money.nullable()
    .optional()
    .describe(
      'Revenue of a converted lead when the buyer reports no amount; null: the price of the sale',
    ),
  delivery: DeliveryPatch.nullable()
    .optional()
    .describe(
      "Overrides of the buyer's own delivery for this campaign: only the settings given are overridden, null removes " +
        'an override, and null for the whole removes all overrides. max_concurrent and max_per_second cannot be ' +
        'overridden: a buyer has one queue',
    ),
};

export const supplierLinkKey = { campaign_id: id('campaign'), supplier_id: id('supplier') };
const costMode = z.enum(['FIXED', 'REVENUE_SHARE', 'NONE']);
const costs = {
  cost_per_lead: Money.optional().describe('For FIXED: the cost of each lead that is sold'),
  revenue_share: RevenueShare.optional(),
};
export const costTerms = { cost_mode: costMode, ...costs };
export const supplierTerms = {
  status: ActiveStatus.optional(),
  cost_mode: costMode.optional(),
  ...costs,
  ...caps,
  daily_ping_cap: DailyPingCap.optional().describe('Maximum of its pings a day; null: unlimited'),
};
