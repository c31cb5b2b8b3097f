/** The terms on which a buyer takes, and a supplier sends, a campaign's leads. */
import { z } from 'zod';
import { ActiveStatus, caps, Filters, id, Money } from './common.js';
import { Delivery } from './buyer.js';
import { MarginInput } from './ping.js';

const pingCap = (what: string) =>
  z.number().int().min(0).max(1_000_000_000).nullable().optional().describe(what);

const Window = z.strictObject({
  days: z.array(z.string()).describe('mon to sun, or their full names'),
  from: z.string().describe('HH:MM'),
  to: z.string().describe('HH:MM, up to 24:00'),
});

export const buyerLinkKey = { campaign_id: id('campaign'), buyer_id: id('buyer') };
export const buyerTerms = {
  status: ActiveStatus.optional(),
  price: Money.min(0).optional().describe("What the buyer pays, in the account's currency"),
  priority: z
    .number()
    .int()
    .min(0)
    .max(1_000_000)
    .nullable()
    .optional()
    .describe('Lower is asked first; null: last'),
  weight: z.number().min(0).max(1_000_000).optional().describe('Share of a WEIGHTED campaign'),
  states: z.array(z.string()).max(100).optional().describe('Two-letter codes; empty: every state'),
  zips: z
    .union([
      z.string(),
      z.array(z.string()),
      z.strictObject({ zips: z.union([z.string(), z.array(z.string())]), miles: z.number() }),
    ])
    .nullable()
    .optional()
    .describe('Five-digit codes, or a radius around some; null: everywhere'),
  filters: Filters.optional(),
  schedule: z
    .union([Window, z.array(Window)])
    .nullable()
    .optional()
    .describe("When the buyer takes leads, in the account's time zone; null: always"),
  when_closed: z.enum(['SKIP', 'HOLD']).optional().describe('HOLD: leads wait until it opens'),
  when_unavailable: z
    .enum(['NEXT', 'WAIT'])
    .optional()
    .describe('WAIT: leads wait for this buyer when it does not answer'),
  ...caps,
  margin: MarginInput.nullable()
    .optional()
    .describe('In ping-post, in the place of that of the campaign; null: what the campaign says'),
  daily_ping_cap: pingCap('Most pings a day that it bids on, or is asked about; null: any number'),
  conversion_price: Money.min(0)
    .nullable()
    .optional()
    .describe('What a converted lead brings where the buyer names no sum; null: its price'),
  delivery: Delivery.nullable()
    .optional()
    .describe(
      "How this campaign's leads reach the buyer where it differs from the buyer's own delivery: only what is named " +
        'is overridden, null takes a setting back, and null for the whole takes back all of them',
    ),
};

export const supplierLinkKey = { campaign_id: id('campaign'), supplier_id: id('supplier') };
const costMode = z.enum(['FIXED', 'REVENUE_SHARE', 'NONE']);
const costs = {
  cost_per_lead: Money.min(0).optional().describe('What FIXED costs, for each lead that is sold'),
  revenue_share: z
    .number()
    .min(0)
    .max(100)
    .optional()
    .describe("What REVENUE_SHARE costs, in percent of the buyer's price"),
};
export const costTerms = { cost_mode: costMode, ...costs };
export const supplierTerms = {
  status: ActiveStatus.optional(),
  cost_mode: costMode.optional(),
  ...costs,
  ...caps,
  daily_ping_cap: pingCap('Most of its pings a day; null: any number'),
};
