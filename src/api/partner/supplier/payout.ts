/** What a supplier is paid, by day and campaign. */
import { z } from 'zod';
import { fromMicros } from '../../../fields/money.js';
import { chunks } from '../../../lib/chunks.js';
import { readLeadDays, type LeadDay } from '../../../reports/leadDays.js';
import { entriesOf, isSoldStatus } from '../../../reports/rules/rollups.js';
import { definePartnerCall, definePartnerFile, type PartnerContext } from '../call.js';
import { cellsOf, type Columns } from '../csv.js';
import { readCampaignNames, linkOf } from './links.js';
import { daysOf, spanOf } from '../span.js';
import { SpanInput, Day, Named } from '../schemas/shared.js';

const PayoutSums = z.object({
  /** Leads that were stored, including those that filters refused. */
  posts: z.number().int(),
  /** Sold at least once. */
  sold: z.number().int(),
  duplicates: z.number().int(),
  rejected: z.number().int(),
  /** Sold, and returned by a buyer. */
  returned: z.number().int(),
  payout: z.number(),
});

type Asked = z.output<typeof SpanInput>;

const ROWS_MAX = 5_000;
/** Rows of a file that are written at a time. */
const BATCH = 500;

export const getPayout = definePartnerCall({
  name: 'get_payout',
  effect: 'read',
  input: SpanInput,
  output: z.object({
    from: Day,
    to: Day,
    currency: z.string(),
    totals: PayoutSums,
    /** Every day of the span, oldest first. */
    days: z.array(PayoutSums.extend({ day: Day })),
    campaigns: z.array(PayoutSums.extend({ campaign: Named })),
    /** Days and campaigns with posts, the newest day first; at most 5,000. */
    rows: z.array(PayoutSums.extend({ day: Day, campaign: Named })),
  }),
  async run(input, context) {
    const { found, span, nameOf } = await readPayout(input, context);
    const ofDay = Map.groupBy(found, ({ day }) => day);
    const ofCampaign = Map.groupBy(found, ({ campaign_id }) => campaign_id);
    return {
      ...span,
      currency: context.org.currency,
      totals: sumsOf(found),
      days: daysOf(span).map((day) => ({ day, ...sumsOf(ofDay.get(day) ?? []) })),
      campaigns: [...ofCampaign]
        .map(([id, some]) => ({ campaign: nameOf(id), ...sumsOf(some) }))
        .sort((a, b) => b.payout - a.payout),
      rows: found.slice(0, ROWS_MAX).map((one) => rowOf(one, nameOf)),
    };
  },
});

async function readPayout(input: Asked, context: PartnerContext) {
  const { org_id: orgId, party_id: supplier_id } = context;
  const { campaign_id } = input;
  const span = spanOf(input, context);
  if (campaign_id !== undefined) await linkOf(context, campaign_id);
  const found = await readLeadDays(context, { orgId, supplier_id, campaign_id, ...span });
  const ids = found.map((one) => one.campaign_id);
  return { found, span, nameOf: await readCampaignNames(context, ids) };
}

type NameOf = Awaited<ReturnType<typeof readCampaignNames>>;

const rowOf = (one: LeadDay, nameOf: NameOf) => ({
  day: one.day,
  campaign: nameOf(one.campaign_id),
  ...sumsOf([one]),
});

/** The money of all its leads, and the number of those that it has posted: it knows of no other. */
function sumsOf(days: readonly LeadDay[]) {
  const sums = { posts: 0, sold: 0, duplicates: 0, rejected: 0, returned: 0 };
  const count = (by_status: LeadDay['by_status'], sign: 1 | -1): void => {
    for (const [status, { leads, returned }] of entriesOf(by_status)) {
      sums.posts += sign * leads;
      if (isSoldStatus(status)) sums.sold += sign * leads;
      if (status === 'DUPLICATE') sums.duplicates += sign * leads;
      if (status === 'REJECTED') sums.rejected += sign * leads;
      sums.returned += sign * returned;
    }
  };
  for (const { by_status, resold } of days) {
    count(by_status, 1);
    count(resold, -1);
  }
  const costs = days.flatMap(({ by_status }) => entriesOf(by_status).map(([, { cost }]) => cost));
  return { ...sums, payout: fromMicros(costs.reduce((sum, cost) => sum + cost, 0)) };
}

export const payoutFile = definePartnerFile({
  name: 'payout.csv',
  permits: 'exports',
  input: SpanInput,
  async rows(query, context) {
    const { found, nameOf } = await readPayout(query, context);
    const cells = found.map((one) => [
      ...cellsOf(rowOf(one, nameOf), COLUMNS),
      context.org.currency,
    ]);
    return { head: [...Object.keys(COLUMNS), 'currency'], batches: chunks(cells, BATCH) };
  },
});

const COLUMNS: Columns<ReturnType<typeof rowOf>> = {
  day: ({ day }) => day,
  campaign: ({ campaign }) => campaign.name,
  campaign_id: ({ campaign }) => campaign.id,
  posts: ({ posts }) => posts,
  sold: ({ sold }) => sold,
  duplicates: ({ duplicates }) => duplicates,
  rejected: ({ rejected }) => rejected,
  returned: ({ returned }) => returned,
  payout: ({ payout }) => payout,
};
