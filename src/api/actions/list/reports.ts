/** Reports: counts and money of the leads of some days. */
import { z } from 'zod';
import { findCampaign } from '../../../account/campaigns/campaigns.js';
import { dayAfter, daysBetween } from '../../../fields/days.js';
import { countsOf } from '../../../reports/rules/dayFigures.js';
import { total, totalLine } from '../../../reports/rules/rollups.js';
import { defineAction } from '../action.js';
import { readOutcomesWithPings, readWithPings, scopeOf } from '../reportFigures.js';
import { id, named } from '../schemas/common.js';
import { VerticalView } from '../schemas/campaign.js';
import {
  counts,
  marginOf,
  marginPct,
  moneyOf,
  pingFigures,
  pingFiguresOf,
  scope,
  span,
  sums,
  uncounted,
} from '../schemas/report.js';

const EXAMPLE_ID = '0b0a4b5e-3f0e-4c5f-8f0a-6a2b4d1c9e11';
const JANUARY = { date_from: '2026-01-01', date_to: '2026-01-31' };

export const getLeadStats = defineAction({
  name: 'get_lead_stats',
  cli: ['reports', 'stats'],
  summary: 'Count leads and money',
  description:
    "Leads received, their results and their revenue, in total and by day. Days are in the account's time zone, both " +
    'ends included. Test leads are not counted.',
  permission: 'reports:read',
  input: z.strictObject(scope),
  example: JANUARY,
  output: z.object({
    ...span,
    ...counts,
    ...sums,
    margin_pct: marginPct,
    pings: pingFigures,
    uncounted,
    days: z
      .array(
        z.object({
          date: z.iso.date().describe('One of the days'),
          total_leads: counts.total_leads,
          accepted: counts.accepted,
          ...sums,
        }),
      )
      .describe('Every day from first to last, including days without a lead'),
  }),
  async run(input, context) {
    const { from, to, ...rest } = await scopeOf(input, context);
    const {
      rows,
      pings,
      uncounted: left,
    } = await readWithPings({ from, to, ...rest }, 'day', context);
    const days = Array.from({ length: daysBetween(from, to) }, (_, n) => dayAfter(from, n));
    const money = totalLine(rows);
    const byDay = Map.groupBy(rows, ({ key }) => key);
    return {
      date_from: from,
      date_to: to,
      ...countsOf(rows),
      ...moneyOf(money),
      margin_pct: marginOf(money),
      pings: pingFiguresOf(pings.whole),
      uncounted: left,
      days: days.map((date) => {
        const those = byDay.get(date) ?? [];
        const { total_leads, accepted } = countsOf(those);
        return { date, total_leads, accepted, ...moneyOf(totalLine(those)) };
      }),
    };
  },
});

export const getCampaignPerformance = defineAction({
  name: 'get_campaign_performance',
  cli: ['reports', 'campaign'],
  summary: 'Show the performance of a campaign',
  description: 'Leads, sales, money and margin of one campaign over a range of days.',
  permission: 'reports:read',
  input: z.strictObject({
    campaign_id: id('campaign'),
    date_from: scope.date_from,
    date_to: scope.date_to,
  }),
  example: { campaign_id: EXAMPLE_ID, ...JANUARY },
  output: z.object({
    ...span,
    campaign: named('campaign')
      .extend({
        vertical: VerticalView,
        ...counts,
        converted: z.number().int().describe('Sold leads that became customers, as buyers report'),
        ...sums,
        margin_pct: marginPct,
        pings: pingFigures,
      })
      .describe('The campaign, and its figures'),
    uncounted,
  }),
  async run(input, context) {
    const { collections, caller } = context;
    const campaign = await findCampaign({ collections, orgId: caller.org_id }, input.campaign_id);
    const within = await scopeOf(input, context);
    const { rows, pings, uncounted: left } = await readOutcomesWithPings(within, context);
    const money = total(rows);
    return {
      date_from: within.from,
      date_to: within.to,
      campaign: {
        id: campaign._id,
        name: campaign.name,
        vertical: campaign.vertical ?? null,
        ...countsOf(rows),
        converted: money.converted - money.converted_again,
        ...moneyOf(money),
        margin_pct: marginOf(money),
        pings: pingFiguresOf(pings.whole),
      },
      uncounted: left,
    };
  },
});
