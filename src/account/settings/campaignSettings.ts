/** The settings of a campaign. */
import { z } from 'zod';
import { wholeNumber } from '../../lib/schema/settings.js';
import { readVertical, VERTICAL_MAX } from '../rules/vertical.js';
import { Caps, cappedTable } from './cappedTable.js';
import { setting, settingsTable, type StoredBy } from './settingsTable.js';
import { LeadFilters } from './termKinds.js';

/** Duplicates by phone or email within 30 days are refused (contract 3.1). */
const DEFAULT_DEDUPE = {
  window_days: 30,
  fields: ['phone', 'email'],
  match: 'ANY' as const,
  on_duplicate: 'REJECT' as const,
};

const Dedupe = z.strictObject({
  /** Days for which a lead makes later ones duplicates. */
  window_days: wholeNumber(1, 3_650).describe('How long a lead counts for duplicates'),
  /** In the order in which they are claimed. */
  fields: z
    .array(z.string())
    .max(10)
    .describe('Which fields are compared; default phone and email; empty: none'),
  match: z
    .enum(['ANY', 'ALL'])
    .describe('ANY: one of these fields is known; ALL: all of them together'),
  on_duplicate: z.enum(['REJECT', 'ROUTE_TO_ORIGINAL']).describe('How a duplicate is handled'),
});
const EXAMPLE_DEDUPE = { window_days: 30, fields: ['phone', 'email'] };
export const DedupeWindowDays = Dedupe.shape.window_days;

const table = settingsTable(
  {
    status: setting(z.enum(['ACTIVE', 'PAUSED', 'ARCHIVED']), {
      default: 'PAUSED',
      label: 'Status',
      about: 'Only ACTIVE accepts leads',
    }),
    routing_method: setting(z.enum(['DIRECT_POST', 'PING_POST']), {
      default: 'DIRECT_POST',
      label: 'Routing',
      about: 'PING_POST: suppliers ask for a price before they post',
    }),
    distribution_method: setting(z.enum(['WATERFALL', 'ROUND_ROBIN', 'WEIGHTED', 'HIGHEST_BID']), {
      default: 'WATERFALL',
      label: 'Distribution',
      about: 'The order in which buyers are asked',
    }),
    answer_within_ms: setting(wholeNumber(200, 4_000), {
      default: 2_000,
      label: 'Answer within',
      about: 'How long a supplier waits for a buyer before it receives pending',
      unit: 'milliseconds',
    }),
    max_sells: setting(wholeNumber(1, 20), {
      default: 1,
      label: 'Maximum sales',
      about: 'Maximum number of buyers of one lead',
    }),
    caps: Caps,
    filters: LeadFilters,
    dedupe: setting(
      z.codec(Dedupe.partial().meta({ examples: [EXAMPLE_DEDUPE] }), Dedupe, {
        decode: (given) => ({ ...DEFAULT_DEDUPE, ...given }),
        encode: (stored) => stored,
      }),
      {
        default: DEFAULT_DEDUPE,
        label: 'Duplicates',
        about: 'Which leads are duplicates, and how they are handled',
        view: Dedupe,
        inParts: true,
      },
    ),
  },
  {
    vertical: setting(
      z.codec(
        z
          .string()
          .max(
            VERTICAL_MAX,
            `must have at most ${VERTICAL_MAX} characters, such as "Auto insurance"`,
          )
          .nullable(),
        z.string().nullable(),
        { decode: readVertical, encode: (stored) => stored },
      ),
      {
        default: null,
        label: 'Vertical',
        about: 'The topic of its leads, in your own words; blank or null: none',
      },
    ),
    campaign_type: setting(z.enum(['LEADS']), {
      default: 'LEADS',
      label: 'Type',
      about: 'Always LEADS: calls are not distributed',
    }),
    conversion_window_days: setting(wholeNumber(1, 365).nullable(), {
      default: null,
      label: 'Conversion window',
      about: 'How long after a sale its outcome may come; then it expires. null: no limit',
      unit: 'days',
    }),
    share_outcomes: setting(z.boolean(), {
      default: false,
      label: 'Share outcomes',
      about: 'Whether suppliers see the outcomes of their leads',
    }),
  },
);

/** Its fields and ping settings are separate: `fields/fieldRule.ts`, `campaigns/pingSchema.ts`. */
export const CAMPAIGN = cappedTable(table);

export type CampaignSettings = StoredBy<typeof table>;
