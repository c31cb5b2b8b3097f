/** The way of a campaign's leads: suppliers, checks, buyers, and what was lost where and why. */
import { z } from 'zod';
import { findCampaign } from '../../../account/campaigns/campaigns.js';
import { countWaiting } from '../../../deliveries/store/attention.js';
import { dayAfter, daysBetween } from '../../../fields/days.js';
import { fromMicros } from '../../../fields/money.js';
import { windowKeys } from '../../../fields/windowKeys.js';
import { readFlows, type FlowRow } from '../../../reports/readFlow.js';
import { isSoldStatus } from '../../../reports/rules/rollups.js';
import { defineAction } from '../action.js';
import { checksOf, percent, reasonsOf, rowsOf, sum, type CountedReason } from '../flowReasons.js';
import { lossText } from '../flowWords.js';
import { invalidField } from '../readInput.js';
import { readRowNames } from '../rowNames.js';
import { FlowView } from '../schemas/flow.js';
import { marginOf, scope } from '../schemas/report.js';

/** Rows of each list. */
const SHOWN_MAX = 100;
/** Sums of so many days are read at once, for all campaigns. */
const DAYS_MAX = 92;
const WAITING_MAX = 100_000;
const WEEK = 7;

export const getFlow = defineAction({
  name: 'get_flow',
  cli: ['reports', 'flow'],
  summary: 'Show the way of leads from suppliers to buyers',
  description:
    'Leads by supplier, what each check refused, what each buyer bought, and why the others were not sold. With compare ' +
    'beside the same days a week earlier: why acceptance fell.',
  permission: 'reports:read',
  input: z.strictObject({
    campaign_id: scope.campaign_id,
    date_from: scope.date_from.describe('The first day; default: date_to'),
    date_to: scope.date_to,
    compare: z.boolean().default(false).describe('true: also a week earlier'),
  }),
  example: { compare: true },
  output: FlowView,
  async run({ campaign_id, compare, ...given }, context) {
    const { collections, orgId, clock } = context;
    const [org, campaign] = await Promise.all([
      collections.orgs.findOne({ _id: orgId }),
      campaign_id === undefined ? null : findCampaign(context, campaign_id),
    ]);
    const time_zone = org?.time_zone ?? 'UTC';
    const days = daysOf(given, windowKeys(clock.now(), time_zone).day);
    const earlier = compare ? weekBefore(days) : null;
    const [{ rows, before, uncounted }, waiting] = await Promise.all([
      readFlows(context, { orgId, campaign_id, ...days }, earlier),
      countWaiting(collections.deliveries, { orgId, campaign_id }, WAITING_MAX),
    ]);
    const all = figuresOf(rowsOf(rows, 'all'));
    const parties = { suppliers: byId(rows, 'supplier'), buyers: byId(rows, 'buyer') };
    const reasons = reasonsOf(rows, compare ? before : null);
    const [suppliers, buyers, shown] = [parties.suppliers, parties.buyers, reasons].map((list) =>
      list.slice(0, SHOWN_MAX),
    ) as [Party[], Party[], CountedReason[]];
    const namesOf = await readRowNames(context, [
      ...suppliers.map(({ id }) => ({ supplier_id: id })),
      ...buyers.map(({ id }) => ({ buyer_id: id })),
      ...shown,
    ]);
    const checks = checksOf(rows, all.total_leads);
    return {
      date_from: days.from,
      date_to: days.to,
      time_zone,
      currency: org?.currency ?? '',
      campaign: campaign && { id: campaign._id, name: campaign.name },
      total: all,
      suppliers: suppliers.map(({ id: supplier_id, those }) => ({
        supplier_id,
        supplier_name: namesOf({ supplier_id }).supplier_name,
        ...figuresOf(those),
        share_pct: percent(sum(those, 'leads'), all.total_leads),
      })),
      checks,
      routed: all.total_leads - checks.reduce((lost, { leads }) => lost + leads, 0),
      buyers: buyers.map(({ id: buyer_id, those }) => ({
        buyer_id,
        buyer_name: namesOf({ buyer_id }).buyer_name,
        sales: sum(those, 'sales'),
        share_pct: percent(sum(those, 'sales'), all.total_leads),
        ...moneyOf(those),
      })),
      reasons: shown.map((one) => {
        const { buyer_name } = namesOf(one);
        const text = lossText(one.reason, { buyer: buyer_name, field: one.field });
        return { ...one, text, buyer_name };
      }),
      before: earlier && {
        date_from: earlier.from,
        date_to: earlier.to,
        total: figuresOf(rowsOf(before, 'all')),
      },
      waiting,
      more: {
        suppliers: parties.suppliers.length - suppliers.length,
        buyers: parties.buyers.length - buyers.length,
        reasons: reasons.length - shown.length,
      },
      uncounted,
    };
  },
});

interface Days {
  from: string;
  to: string;
}

/** @throws {AppError} `invalid_input` for dates the wrong way round, and for too many days */
function daysOf(given: { date_from?: string; date_to?: string }, today: string): Days {
  const to = given.date_to ?? today;
  const from = given.date_from ?? to;
  const days = daysBetween(from, to);
  if (days >= 1 && days <= DAYS_MAX) return { from, to };
  const rule =
    days < 1
      ? `date_from must not be after date_to (${to})`
      : `date_from must be at most ${DAYS_MAX - 1} days before date_to (${to})`;
  throw invalidField('date_from', 'out_of_range', `${rule}.`);
}

/** The same weekdays: as many whole weeks earlier as the days need to lie before themselves. */
function weekBefore({ from, to }: Days): Days {
  const back = -WEEK * Math.ceil(daysBetween(from, to) / WEEK);
  return { from: dayAfter(from, back), to: dayAfter(to, back) };
}

interface Party {
  id: string;
  those: FlowRow[];
}

/** The rows of each supplier, or buyer, most leads first. */
const byId = (rows: readonly FlowRow[], facet: 'supplier' | 'buyer'): Party[] =>
  [...Map.groupBy(rowsOf(rows, facet), ({ id }) => id ?? '')]
    .map(([id, those]) => ({ id, those }))
    .sort((a, b) => sum(b.those, 'leads') - sum(a.those, 'leads') || (a.id < b.id ? -1 : 1));

function figuresOf(rows: readonly FlowRow[]) {
  const leads = (...of: FlowRow['status'][]) =>
    sum(
      rows.filter(({ status }) => of.includes(status)),
      'leads',
    );
  const total_leads = sum(rows, 'leads');
  const pending = leads('PENDING');
  const accepted = sum(
    rows.filter(({ status }) => isSoldStatus(status)),
    'leads',
  );
  return {
    total_leads,
    accepted,
    pending,
    unmatched: leads('UNMATCHED'),
    duplicate: leads('DUPLICATE'),
    rejected: leads('REJECTED'),
    expired: leads('EXPIRED'),
    sales: sum(rows, 'sales'),
    acceptance_pct: percent(accepted, total_leads - pending),
    ...moneyOf(rows),
    margin_pct: marginOf({ revenue: sum(rows, 'revenue'), cost: sum(rows, 'cost') }),
  };
}

function moneyOf(rows: readonly FlowRow[]) {
  const [revenue, cost] = [sum(rows, 'revenue'), sum(rows, 'cost')];
  return {
    revenue: fromMicros(revenue),
    cost: fromMicros(cost),
    profit: fromMicros(revenue - cost),
  };
}
