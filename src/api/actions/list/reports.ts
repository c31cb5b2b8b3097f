/** Reports: counts and money of the leads of some days. */
import { readTimeZone } from '../../../account/orgs.js';
import { z } from 'zod';
import { findCampaign } from '../../../account/campaigns/campaigns.js';
import { dayAfter, daysBetween } from '../../../fields/days.js';
import { NO_PINGS } from '../../../pings/rules/rollups.js';
import { isSoldStatus, total } from '../../../reports/rules/rollups.js';
import { windowKeys } from '../../../fields/windowKeys.js';
import type { AppError } from '../../../lib/errors.js';
import { readPingReport, type PingGroupBy, type PingReport } from '../../../reports/pingReport.js';
import type { ReportScope } from '../../../reports/reading.js';
import { readReport, type GroupBy, type Report, type ReportRow } from '../../../reports/report.js';
import { defineAction, type ActionContext } from '../action.js';
import { requireNamed } from '../leadFilter.js';
import { readNames } from '../recordNames.js';
import { invalidField } from '../readInput.js';
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
    const { rows, pings, uncounted: left } = await read({ from, to, ...rest }, 'day', context);
    const days = Array.from({ length: daysBetween(from, to) }, (_, n) => dayAfter(from, n));
    const byDay = Map.groupBy(rows, ({ key }) => key);
    return {
      date_from: from,
      date_to: to,
      ...countsOf(rows),
      ...moneyOf(total(rows)),
      margin_pct: marginOf(total(rows)),
      pings: pingFiguresOf(pings.whole),
      uncounted: left,
      days: days.map((date) => {
        const those = byDay.get(date) ?? [];
        const { total_leads, accepted } = countsOf(those);
        return { date, total_leads, accepted, ...moneyOf(total(those)) };
      }),
    };
  },
});

/** Maximum lines of a breakdown; states come from suppliers, who can make up any number of them. */
const LINES = 1_000;

export const getLeadBreakdown = defineAction({
  name: 'get_lead_breakdown',
  cli: ['reports', 'breakdown'],
  summary: 'Count leads and money by buyer, supplier, campaign, state or status',
  description:
    'The figures of get_lead_stats, broken down, most leads first. By buyer: what each bought; a lead sold to ' +
    'several buyers counts for each, and a lead without a buyer is left out. By status: as leads show it, so the ' +
    'latest outcome of a sold lead is its status.',
  permission: 'reports:read',
  input: z.strictObject({
    ...scope,
    group_by: z.enum(['buyer', 'supplier', 'campaign', 'state', 'status']).describe('Dimension'),
  }),
  example: { ...JANUARY, group_by: 'buyer' },
  rows: 'breakdown',
  output: z.object({
    ...span,
    breakdown: z
      .array(
        z.object({
          label: z.string().describe('The exact name, state or status; "unknown" without a state'),
          id: z.string().nullable().describe('Id of buyer, supplier or campaign; else null'),
          count: z.number().int().describe('Leads'),
          accepted: counts.accepted,
          ...sums,
          pings: pingFigures.optional(),
        }),
      )
      .describe(`At most ${LINES}; pings by buyer, supplier and campaign`),
    lines: z.number().int().describe('Number of lines, including those not shown'),
    uncounted,
  }),
  async run(input, context) {
    const within = await scopeOf(input, context);
    const { rows, pings, uncounted: left } = await read(within, input.group_by, context);
    const byKey = Map.groupBy(rows, keyOf(input.group_by));
    const groups = [...new Set([...byKey.keys(), ...pings.by.keys()])]
      .filter((key) => key !== null || input.group_by !== 'buyer')
      .map((key) => ({ key, those: byKey.get(key) ?? [] }))
      .map(({ key, those }) => ({ key, ...countsOf(those), sums: total(those) }))
      .sort((a, b) => b.total_leads - a.total_leads || compare(a.key, b.key));
    const shown = groups.slice(0, LINES);
    const names = isRecord(input.group_by)
      ? await readNames(
          context.collections[RECORDS[input.group_by]],
          shown.map(({ key }) => key ?? ''),
          context.orgId,
        )
      : new Map<string, string>();
    return {
      date_from: within.from,
      date_to: within.to,
      breakdown: shown.map(({ key, total_leads, accepted, sums: money }) => ({
        label: names.get(key ?? '') ?? key ?? 'unknown',
        id: isRecord(input.group_by) ? key : null,
        count: total_leads,
        accepted,
        ...moneyOf(money),
        pings: isRecord(input.group_by)
          ? pingFiguresOf(pings.by.get(key ?? '') ?? NO_PINGS)
          : undefined,
      })),
      lines: groups.length,
      uncounted: left,
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
    const { rows, pings, uncounted: left } = await read(within, 'status', context);
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

const RECORDS = { buyer: 'buyers', supplier: 'suppliers', campaign: 'campaigns' } as const;

const isRecord = (by: GroupBy): by is PingGroupBy => by in RECORDS;

type Scope = Partial<z.output<z.ZodObject<typeof scope>>>;
const DAYS_DEFAULT = 30;
/** A report of more days than this is a mistake. */
const DAYS_MAX = 3_660;

/** @throws {AppError} `invalid_input` for dates the wrong way round */
export async function scopeOf(input: Scope, context: ActionContext): Promise<ReportScope> {
  const { campaign_id, supplier_id, buyer_id } = input;
  const { collections, caller, clock } = context;
  const today = windowKeys(clock.now(), await readTimeZone(collections, caller.org_id)).day;
  const to = input.date_to ?? today;
  const from = input.date_from ?? dayAfter(to, 1 - DAYS_DEFAULT);
  const days = daysBetween(from, to);
  if (days < 1) throw badDate(`date_from must not be after date_to (${to})`);
  if (days > DAYS_MAX) throw badDate(`date_from must be at most ${DAYS_MAX} days before date_to`);
  return { orgId: caller.org_id, from, to, campaign_id, supplier_id, buyer_id };
}

const badDate = (rule: string): AppError => invalidField('date_from', 'out_of_range', `${rule}.`);

/** @throws {AppError} `not_found` for an unknown name; a deleted one may have had leads */
async function read(
  within: ReportScope,
  by: GroupBy,
  context: ActionContext,
): Promise<Report & { pings: PingReport }> {
  const [report, pings] = await Promise.all([
    readReport(context, within, by),
    readPingReport(context, within, isRecord(by) ? by : null),
  ]);
  if (report.rows.length === 0) await requireNamed(within, context);
  return { ...report, pings, uncounted: report.uncounted + pings.uncounted };
}

function countsOf(rows: readonly ReportRow[]) {
  const leads = (status?: ReportRow['status']): number =>
    total(rows.filter((row) => status === undefined || row.status === status)).leads;
  const accepted = total(rows.filter((row) => isSoldStatus(row.status))).leads;
  return {
    total_leads: leads(),
    accepted,
    pending: leads('PENDING'),
    unmatched: leads('UNMATCHED'),
    duplicate: leads('DUPLICATE'),
    rejected: leads('REJECTED'),
    expired: leads('EXPIRED'),
    sales: total(rows).sales,
  };
}

const keyOf =
  (by: GroupBy) =>
  ({ key, status }: ReportRow): string | null =>
    by === 'status' ? status : key;

const compare = (a: string | null, b: string | null): number => (a ?? '').localeCompare(b ?? '');
