/** The way of leads, as answers show it. */
import { z } from 'zod';
import { CHECK_REASONS, ROUTING_REASONS } from '../../../leads/rules/loss.js';
import { Money, named, orNull, recordId } from './common.js';
import { marginPct, span, sums, uncounted } from './report.js';

const Count = z.number().int();
const Share = z.number().describe('In percent, one decimal; 0 without any');

const Figures = z.object({
  total_leads: Count.describe('Leads received'),
  accepted: Count.describe('Sold'),
  pending: Count.describe('Accepted for a later decision: they wait'),
  unmatched: Count.describe('No buyer accepted them'),
  duplicate: Count.describe('Repeats'),
  rejected: Count.describe('Refused by a check'),
  expired: Count.describe('Not sold in time'),
  sales: Count.describe('Exceeds accepted when leads are sold to several buyers'),
  acceptance_pct: z.number().describe('accepted in percent of the decided leads, one decimal'),
  ...sums,
  margin_pct: marginPct,
});

export const CHECKS = ['bots', 'filters', 'suppression', 'duplicates', 'supplier_caps'] as const;

const Reason = z.enum([...CHECK_REASONS, 'duplicate', ...ROUTING_REASONS, 'unrecorded']);

export const FlowView = z.object({
  ...span,
  time_zone: z.string().describe('Of the days'),
  currency: z.string().describe('Of its money'),
  campaign: orNull(named('campaign')).describe('null: all campaigns'),
  total: Figures.describe('All of them'),
  suppliers: z
    .array(
      Figures.extend({
        supplier_id: recordId('supplier'),
        supplier_name: orNull(z.string()).describe('null: it is gone'),
        share_pct: Share.describe('Its share of the leads'),
      }),
    )
    .describe('Most leads first, at most 100'),
  checks: z
    .array(
      z.object({
        check: z.enum(CHECKS).describe('In the order in which leads come to them'),
        leads: Count.describe('That it refused'),
        share_pct: Share.describe('Of all leads'),
      }),
    )
    .describe('What leads pass before any buyer is asked'),
  routed: Count.describe('Leads that passed every check'),
  buyers: z
    .array(
      z.object({
        buyer_id: recordId('buyer'),
        buyer_name: orNull(z.string()).describe('null: it is gone'),
        sales: Count.describe('Leads that it bought'),
        share_pct: Share.describe('Of all leads'),
        revenue: Money,
        cost: Money,
        profit: Money,
      }),
    )
    .describe('Most sales first, at most 100'),
  reasons: z
    .array(
      z.object({
        reason: Reason.describe('unrecorded: an earlier release decided them'),
        text: z.string().describe('The same in words'),
        status: z
          .enum(['UNMATCHED', 'DUPLICATE', 'REJECTED', 'EXPIRED'])
          .describe('Of these leads'),
        buyer_id: orNull(z.string()).describe('The buyer that came nearest; null: none alone'),
        buyer_name: orNull(z.string()).describe('null: none, or it is gone'),
        field: orNull(z.string()).describe('The field that a check refused'),
        leads: Count.describe('That were not sold for it'),
        share_pct: Share.describe('Of all leads'),
        before: orNull(
          z.object({ leads: Count.describe('Those of then'), share_pct: Share }),
        ).describe('A week earlier; null without compare'),
      }),
    )
    .describe(
      'Why leads were not sold, most leads first, at most 100; by compare: those of then, too',
    ),
  before: orNull(z.object({ ...span, total: Figures.describe('Those of then') })).describe(
    'A week earlier; null without compare',
  ),
  waiting: z
    .object({
      deliveries: Count.describe('Deliveries that wait to be sent now'),
      unknown: Count.describe('Deliveries that were never answered'),
      is_cut: z.boolean().describe('true: so many wait that only the oldest were counted'),
    })
    .describe('What waits now, whenever it came'),
  more: z
    .object({
      suppliers: Count.describe('Suppliers'),
      buyers: Count.describe('Buyers'),
      reasons: Count.describe('Reasons'),
    })
    .describe('Numbers of those that are not shown'),
  uncounted,
});
