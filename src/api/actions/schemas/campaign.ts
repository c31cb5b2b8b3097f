/** Campaigns and their fields on the wire. */
import { z } from 'zod';
import { CAMPAIGN } from '../../../account/settings/campaignSettings.js';
import { FIELDS_MAX, FieldRule } from '../../../fields/fieldRule.js';
import { pickKeys, withoutKeys } from '../../../lib/defined.js';
import { AutomationView } from './automation.js';
import { ActiveStatus, Instant, recordId, recordName } from './common.js';
import { BuyerLinkView, SupplierLinkView } from './links.js';
import { PingSettingsView } from './ping.js';
import { sums } from './report.js';

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

/** What only a whole campaign shows; every other setting is in lists, too. */
const OF_WHOLE = [
  'answer_within_ms',
  'dedupe',
  'conversion_window_days',
  'share_outcomes',
  'filters',
] as const;
const { filters, ...ofWhole } = pickKeys(CAMPAIGN.view, OF_WHOLE);
const ofRow = withoutKeys(CAMPAIGN.view, OF_WHOLE);
/** As answers show one. */
export const VerticalView = CAMPAIGN.view.vertical;

export const CampaignRow = z.object({
  id: recordId('campaign'),
  name: recordName('campaign'),
  ...pickKeys(ofRow, [
    'status',
    'vertical',
    'campaign_type',
    'routing_method',
    'distribution_method',
    'max_sells',
  ]),
  version: z
    .number()
    .int()
    .describe('Incremented by every change; a lead names the version that decided it'),
  created_at: Instant.describe('When it was created, in UTC'),
  ...ofRow,
});

const Count = z.number().int();

/** How a campaign does, in the rows of its list. */
const CampaignFigures = z.object({
  today: z
    .object({
      total_leads: Count.describe('Leads received'),
      accepted: Count.describe('Sold'),
      pending: Count.describe('They wait'),
      acceptance_pct: z.number().describe('accepted in percent of the decided leads, one decimal'),
      ...sums,
    })
    .describe("Leads received today, in the account's time zone"),
  week: z.array(Count).describe('Leads of each of the last 7 days, today last'),
  caps_nearly_full: Count.describe('Its limits of which 80 % or more is used'),
});

export const ListedCampaign = CampaignRow.extend({
  figures: CampaignFigures.optional().describe('With figures'),
});

export const CampaignView = CampaignRow.extend({
  ...ofWhole,
  ping: PingSettingsView.describe('How it answers pings'),
  field_mapping: z.array(FieldRule).meta({
    description: 'All fields, system fields first',
    examples: [EXAMPLE_FIELDS],
  }),
  filters: filters.describe('Inbound filters; null: every lead passes'),
  buyers: z
    .array(
      BuyerLinkView.extend({
        name: recordName('buyer'),
        buyer_status: ActiveStatus.describe('Of the buyer itself; paused: in every campaign'),
      }),
    )
    .describe('Its buyers, and their terms'),
  suppliers: z
    .array(
      SupplierLinkView.extend({
        name: recordName('supplier'),
        supplier_status: ActiveStatus.describe('Of the supplier itself; paused: in every campaign'),
      }),
    )
    .describe('Its suppliers, and their terms'),
  automations: z
    .array(AutomationView.pick({ id: true, name: true, trigger: true, action: true, status: true }))
    .describe(
      'Automations of its events: its own, and those for every campaign; the first 100, oldest first',
    ),
});
