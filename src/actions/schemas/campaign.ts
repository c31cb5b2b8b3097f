/** Campaigns and their fields on the wire. */
import { z } from 'zod';
import { FIELD_TYPE_NAMES } from '../../domain/fieldTypes.js';
import { TRANSFORM_NAMES } from '../../domain/transforms.js';
import { ActiveStatus, caps, CapsView, Filters, Instant, Money } from './common.js';

const Status = z.enum(['ACTIVE', 'PAUSED', 'ARCHIVED']);
const RoutingMethod = z.enum(['DIRECT_POST', 'PING_POST']);
const DistributionMethod = z.enum(['WATERFALL', 'ROUND_ROBIN', 'WEIGHTED', 'HIGHEST_BID']);

const Field = z
  .strictObject({
    name: z.string().min(1).max(64).describe('The key of a lead, such as loan_amount'),
    type: z.enum(FIELD_TYPE_NAMES),
    required: z.boolean().default(false).describe('A lead without it is refused'),
    ping_required: z.boolean().default(false).describe('A ping without it is refused'),
    label: z.string().max(200).optional().describe('What people read instead of the name'),
    allowed_values: z.array(z.string()).optional().describe('Of a List of Allowed Values'),
    min: z.number().optional().describe('Least value of a Number'),
    max: z.number().optional().describe('Greatest value of a Number'),
    max_length: z.number().int().optional().describe('Most characters'),
    pattern: z.string().max(500).optional().describe('A regular expression that the value fits'),
    strict: z.boolean().optional().describe('Of a Phone: it must exist in its numbering plan'),
    transforms: z
      .array(z.enum(TRANSFORM_NAMES))
      .optional()
      .describe('What is done to a value before it is checked, in this order'),
    default: z
      .union([z.string(), z.number(), z.boolean()])
      .optional()
      .describe('The value of a lead that has none'),
  })
  .describe('One field of the mapping');

export const Fields = z
  .array(Field)
  .max(500)
  .describe('Fields of the mapping; a name may be there once');

const Dedupe = z.strictObject({
  window_days: z.number().int().min(1).max(3_650).optional().describe('Default 30'),
  fields: z.array(z.string()).max(10).optional().describe('Default phone, email; empty: off'),
  match: z.enum(['ANY', 'ALL']).optional().describe('Of these fields'),
  on_duplicate: z.enum(['REJECT', 'ROUTE_TO_ORIGINAL']).optional(),
});

/** What may be said of a campaign beside its name. */
export const campaignSettings = {
  status: Status.optional().describe('Only ACTIVE takes leads'),
  routing_method: RoutingMethod.optional(),
  distribution_method: DistributionMethod.optional().describe('In which order buyers are asked'),
  answer_within_ms: z
    .number()
    .int()
    .min(200)
    .max(4_000)
    .optional()
    .describe('How long a supplier waits for a buyer, in milliseconds'),
  max_sells: z.number().int().min(1).max(20).optional().describe('Most buyers of one lead'),
  dedupe: Dedupe.optional().describe('Which leads are duplicates, and what becomes of them'),
  ...caps,
};

export const CampaignRow = z.object({
  id: z.string(),
  name: z.string(),
  status: Status,
  routing_method: RoutingMethod,
  distribution_method: DistributionMethod,
  max_sells: z.number().int(),
  version: z.number().int().describe('Grows with every change; a lead names the one it met'),
  created_at: Instant,
});

export const BuyerLinkView = z.object({
  campaign_id: z.string(),
  buyer_id: z.string(),
  status: ActiveStatus,
  price: Money,
  priority: z.number().int().nullable().describe('Lower is asked first; null: last'),
  weight: z.number(),
  states: z.array(z.string()).describe('Empty: every state'),
  zips: z.unknown().describe('A list, or a radius; null: everywhere'),
  filters: z.unknown(),
  schedule: z.unknown().describe('When it takes leads; null: always'),
  when_closed: z.enum(['SKIP', 'HOLD']),
  when_unavailable: z.enum(['NEXT', 'WAIT']),
  ...CapsView.shape,
});

export const SupplierLinkView = z.object({
  campaign_id: z.string(),
  supplier_id: z.string(),
  status: ActiveStatus,
  cost_mode: z.enum(['FIXED', 'REVENUE_SHARE', 'NONE']),
  cost_per_lead: Money,
  revenue_share: z.number().describe("Percent of the buyer's price"),
  ...CapsView.shape,
});

export const CampaignView = CampaignRow.extend({
  answer_within_ms: z.number().int(),
  dedupe: z.object({
    window_days: z.number().int(),
    fields: z.array(z.string()),
    match: z.enum(['ANY', 'ALL']),
    on_duplicate: z.enum(['REJECT', 'ROUTE_TO_ORIGINAL']),
  }),
  ...CapsView.shape,
  field_mapping: Fields.describe('All fields, those of the system first'),
  filters: z.unknown().describe('Inbound filters; null: every lead passes'),
  buyers: z.array(BuyerLinkView.extend({ name: z.string() })),
  suppliers: z.array(SupplierLinkView.extend({ name: z.string() })),
});

export { Filters };
