/** What the actions of reports share: their span, and the figures of leads and pings in it. */
import type { z } from 'zod';
import { readTimeZone } from '../../account/orgs.js';
import { dayAfter, daysBetween } from '../../fields/days.js';
import { windowKeys } from '../../fields/windowKeys.js';
import type { AppError } from '../../lib/errors.js';
import { readPingReport, type PingGroupBy, type PingReport } from '../../reports/pingReport.js';
import type { ReportScope } from '../../reports/reading.js';
import {
  readOutcomes,
  readReport,
  type GroupBy,
  type OutcomeRow,
  type Report,
  type ReportRow,
} from '../../reports/report.js';
import { countsOf } from '../../reports/rules/dayFigures.js';
import { totalLine } from '../../reports/rules/rollups.js';
import type { ActionContext } from './action.js';
import { requireNamed } from './leadFilter.js';
import { invalidField } from './readInput.js';
import { marginOf, moneyOf, type scope } from './schemas/report.js';

/** The collections of the records that a report is grouped by. */
export const RECORDS = { buyer: 'buyers', supplier: 'suppliers', campaign: 'campaigns' } as const;

export const isRecord = (by: GroupBy): by is PingGroupBy => by in RECORDS;

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
export async function readWithPings(
  within: ReportScope,
  by: GroupBy,
  context: ActionContext,
  then?: GroupBy,
): Promise<Report & { pings: PingReport }> {
  const pings = readPingReport(context, within, isRecord(by) ? by : null);
  return together(
    await Promise.all([readReport(context, within, by, then), pings]),
    within,
    context,
  );
}

/** The same by status, with outcomes. */
export async function readOutcomesWithPings(
  within: ReportScope,
  context: ActionContext,
): Promise<Report<OutcomeRow> & { pings: PingReport }> {
  const pings = readPingReport(context, within, null);
  return together(
    await Promise.all([readOutcomes(context, within, 'status'), pings]),
    within,
    context,
  );
}

async function together<Row>(
  [report, pings]: [Report<Row>, PingReport],
  within: ReportScope,
  context: ActionContext,
) {
  if (report.rows.length === 0) await requireNamed(within, context);
  return { ...report, pings, uncounted: report.uncounted + pings.uncounted };
}

/** A line of a breakdown. */
export function figuresOf(rows: readonly ReportRow[]) {
  const { total_leads: count, accepted, rejected, pending } = countsOf(rows);
  const money = totalLine(rows);
  return {
    count,
    accepted,
    rejected,
    ...moneyOf(money),
    margin_pct: marginOf(money),
    acceptance_pct: acceptanceOf({ accepted, decided: count - pending }),
  };
}

/** In percent, one decimal. */
export const acceptanceOf = ({
  accepted,
  decided,
}: {
  accepted: number;
  decided: number;
}): number => (decided === 0 ? 0 : Math.round((accepted / decided) * 1_000) / 10);
