/** What a supplier is paid, by day and campaign. */
import type { z } from 'zod';
import { fromMicros } from '../../../fields/money.js';
import { readLeadDays, type LeadDay } from '../../../reports/leadDays.js';
import { entriesOf, isSoldStatus } from '../../../reports/rules/rollups.js';
import { definePartnerCall, definePartnerFile, type Cell, type PartnerContext } from '../call.js';
import { GetPayout } from '../schemas/supplier.js';
import { campaignNames, linkOf } from './links.js';
import { daysOf, spanOf } from '../span.js';

type Asked = z.output<typeof GetPayout.input>;

const ROWS_MAX = 5_000;

export const getPayout = definePartnerCall({
  name: 'get_payout',
  effect: 'read',
  ...GetPayout,
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
  return { found, span, nameOf: await campaignNames(context, ids) };
}

type NameOf = Awaited<ReturnType<typeof campaignNames>>;

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
  input: GetPayout.input,
  async rows(query, context) {
    const { found, nameOf } = await readPayout(query, context);
    const cells = found.map((one) => [...cellsOf(rowOf(one, nameOf)), context.org.currency]);
    return { head: [...Object.keys(COLUMNS), 'currency'], batches: batchesOf(cells) };
  },
});

const COLUMNS: Record<string, (row: ReturnType<typeof rowOf>) => Cell> = {
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

const cellsOf = (row: ReturnType<typeof rowOf>): Cell[] =>
  Object.values(COLUMNS).map((of) => of(row));

const BATCH = 500;

async function* batchesOf<T>(rows: readonly T[]): AsyncGenerator<readonly T[]> {
  for (let at = 0; at < rows.length; at += BATCH) yield Promise.resolve(rows.slice(at, at + BATCH));
}
