/** Campaigns and their fields on the wire. */
import { AutomationView } from './automation.js';
import { z } from 'zod';
import { FIELDS_MAX, FieldRule } from '../../../fields/fieldRule.js';
import {
  AnswerWithinMs,
  ConversionWindowDays,
  DedupeWindowDays,
  MaxSells,
} from '../../../account/campaigns/campaignSchema.js';
import { caps } from '../../../account/capsSchema.js';
import { VERTICAL_MAX } from '../../../account/rules/vertical.js';
import { ActiveStatus, CapsView, Instant, Money, recordId, recordName } from './common.js';
import { MarginView, PingSettingsView } from './ping.js';

const Status = z.enum(['ACTIVE', 'PAUSED', 'ARCHIVED']);
const CampaignType = z.enum(['LEADS']);
const RoutingMethod = z.enum(['DIRECT_POST', 'PING_POST']);
const DistributionMethod = z.enum(['WATERFALL', 'ROUND_ROBIN', 'WEIGHTED', 'HIGHEST_BID']);

const EXAMPLE_FIELDS = [
  { name: 'loan_amount', type: 'Number', required: true, ping_required: false, min: 1_000 },
];

export const Fields = z
  .array(FieldRule)
  .max(FIELDS_MAX)
  .meta({
    description: 'Fields of the mapping, each name once',
    examples: [EXAMPLE_FIELDS],
  });

const Dedupe = z.strictObject({
  window_days: DedupeWindowDays.optional().describe('Default 30'),
  fields: z.array(z.string()).max(10).optional().describe('Default: phone, email; empty: off'),
  match: z
    .enum(['ANY', 'ALL'])
    .optional()
    .describe('ANY: one of these fields is known; ALL: all of them together'),
  on_duplicate: z.enum(['REJECT', 'ROUTE_TO_ORIGINAL']).optional(),
});

/** The settings of a campaign in addition to its name. */
export const campaignSettings = {
  status: Status.optional().describe('Only ACTIVE accepts leads'),
  vertical: z
    .string()
    .max(VERTICAL_MAX)
    .nullable()
    .optional()
    .describe('The topic of its leads, in your own words; blank or null: none'),
  campaign_type: CampaignType.optional().describe('Always LEADS: calls are not distributed'),
  routing_method: RoutingMethod.optional(),
  distribution_method: DistributionMethod.optional().describe(
    'The order in which buyers are asked',
  ),
  answer_within_ms: AnswerWithinMs.optional().describe(
    'How long a supplier waits for a buyer, in milliseconds',
  ),
  max_sells: MaxSells.optional().describe('Maximum number of buyers of one lead'),
  dedupe: Dedupe.optional().describe('Which leads are duplicates, and how they are handled'),
  conversion_window_days: ConversionWindowDays.nullable()
    .optional()
    .describe(
      'Days after a sale within which it needs an outcome; then it expires. null: no limit',
    ),
  share_outcomes: z
    .boolean()
    .optional()
    .describe('Whether suppliers see the outcomes of their leads; default false'),
  ...caps,
};

/** As answers show one. */
export const VerticalView = z
  .string()
  .nullable()
  .describe('The topic of its leads, such as Auto insurance; null: none');

export const CampaignRow = z.object({
  id: recordId('campaign'),
  name: recordName('campaign'),
  status: Status.describe('Only ACTIVE accepts leads'),
  vertical: VerticalView,
  campaign_type: CampaignType.describe('Always LEADS'),
  routing_method: RoutingMethod.describe('PING_POST: suppliers ask for a price before they post'),
  distribution_method: DistributionMethod.describe('The order in which buyers are asked'),
  max_sells: z.number().int().describe('Maximum number of buyers of one lead'),
  version: z
    .number()
    .int()
    .describe('Incremented by every change; a lead names the version that decided it'),
  created_at: Instant.describe('When it was created, in UTC'),
  ...CapsView.shape,
});

const DailyPingCap = z.number().int().nullable().describe('Maximum pings a day; null: unlimited');

export const BuyerLinkView = z.object({
  campaign_id: recordId('campaign'),
  buyer_id: recordId('buyer'),
  status: ActiveStatus.describe('A paused buyer gets no leads of the campaign'),
  price: Money.describe("What the buyer pays for a lead, in the account's currency"),
  priority: z.number().int().nullable().describe('Lower is asked first; null: last'),
  weight: z.number().describe('Weight in a WEIGHTED campaign'),
  states: z.array(z.string()).describe('Empty: every state'),
  zips: z.unknown().describe('A list, or a radius; null: everywhere'),
  filters: z.unknown().describe('Which leads the buyer accepts; null: every lead'),
  schedule: z.unknown().describe('When it accepts leads; null: always'),
  when_closed: z.enum(['SKIP', 'HOLD']).describe('HOLD: leads wait until it opens'),
  when_unavailable: z
    .enum(['NEXT', 'WAIT'])
    .describe('WAIT: leads wait for this buyer when it does not answer'),
  ...CapsView.shape,
  margin: MarginView.nullable().describe("In ping-post; null: the campaign's margin"),
  daily_ping_cap: DailyPingCap,
  conversion_price: Money.nullable().describe(
    'Revenue of a converted lead when the buyer reports no amount; null: the price of the sale',
  ),
  delivery: z
    .looseObject({})
    .nullable()
    .describe(
      "Overrides of the buyer's own delivery; the values of headers are hidden; null: none",
    ),
});

export const SupplierLinkView = z.object({
  campaign_id: recordId('campaign'),
  supplier_id: recordId('supplier'),
  status: ActiveStatus.describe('The leads of a paused one are refused'),
  cost_mode: z.enum(['FIXED', 'REVENUE_SHARE', 'NONE']).describe('How its leads are paid'),
  cost_per_lead: Money.describe('For FIXED: the cost of each lead that is sold'),
  revenue_share: z.number().describe("For REVENUE_SHARE: percent of the buyer's price"),
  ...CapsView.shape,
  daily_ping_cap: DailyPingCap,
});

export const CampaignView = CampaignRow.extend({
  answer_within_ms: z
    .number()
    .int()
    .describe('How long a supplier waits for a buyer, in milliseconds'),
  dedupe: z
    .object({
      window_days: z.number().int().describe('How long a lead counts for duplicates'),
      fields: z.array(z.string()).describe('Which fields are compared; empty: none'),
      match: z.enum(['ANY', 'ALL']).describe('How many of the fields must be equal'),
      on_duplicate: z.enum(['REJECT', 'ROUTE_TO_ORIGINAL']).describe('How a duplicate is handled'),
    })
    .describe('Which leads are duplicates, and how they are handled'),
  conversion_window_days: z
    .number()
    .int()
    .nullable()
    .describe(
      'Days after a sale within which it needs an outcome; then it expires. null: no limit',
    ),
  share_outcomes: z.boolean().describe('Whether suppliers see the outcomes of their leads'),
  ping: PingSettingsView.describe('How it answers pings'),
  field_mapping: z.array(FieldRule).meta({
    description: 'All fields, system fields first',
    examples: [EXAMPLE_FIELDS],
  }),
  filters: z.unknown().describe('Inbound filters; null: every lead passes'),
  buyers: z
    .array(BuyerLinkView.extend({ name: recordName('buyer') }))
    .describe('Its buyers, and their terms'),
  suppliers: z
    .array(SupplierLinkView.extend({ name: recordName('supplier') }))
    .describe('Its suppliers, and their terms'),
  automations: z
    .array(AutomationView.pick({ id: true, name: true, trigger: true, action: true, status: true }))
    .describe(
      'Automations of its events: its own, and those for every campaign; the first 100, oldest first',
    ),
});
