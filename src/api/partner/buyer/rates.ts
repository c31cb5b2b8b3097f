/** How much of what a buyer is sent it accepts, and how much of what it bought it gives back, by day. */
import type { Filter } from 'mongodb';
import type { DeliveryDoc, DeliveryState } from '../../../deliveries/store/deliveryDoc.js';
import { DELIVERIES_OF_BUYER } from '../../../deliveries/store/deliveryIndexes.js';
import { dayAfter, daysBetween, startOfDay } from '../../../fields/days.js';
import { fromMicros } from '../../../fields/money.js';
import { windowKeys } from '../../../fields/windowKeys.js';
import { readReport, type ReportRow } from '../../../reports/report.js';
import { definePartnerCall, type PartnerContext } from '../call.js';
import { fault } from '../refusals.js';
import { GetDailyRates } from '../schemas/buyer.js';

const DAYS_MAX = 92;
const DAYS = 30;

interface Sent {
  accepted: number;
  rejected: number;
  unanswered: number;
}

export const getDailyRates = definePartnerCall({
  name: 'get_daily_rates',
  side: 'buyer',
  effect: 'read',
  ...GetDailyRates,
  async run(input, context) {
    const { org_id, party_id: buyer_id } = context;
    const { from, to } = spanOf(input, context);
    const { campaign_id } = input;
    const [sent, report] = await Promise.all([
      readSent({ from, to, campaign_id }, context),
      readReport(context, { orgId: org_id, buyer_id, from, to, campaign_id }, 'day'),
    ]);
    const days = Array.from({ length: daysBetween(from, to) }, (_, at) => dayAfter(from, at));
    const rowsOf = Map.groupBy(report.rows, ({ key }) => key ?? '');
    return {
      from,
      to,
      totals: ratesOf([...sent.values()], report.rows),
      days: days.map((day) => ({
        day,
        ...ratesOf([sent.get(day) ?? NOTHING], rowsOf.get(day) ?? []),
      })),
    };
  },
});

function spanOf(
  input: { from?: string | undefined; to?: string | undefined },
  context: PartnerContext,
) {
  const to = input.to ?? windowKeys(context.clock.now(), context.org.time_zone).day;
  const from = input.from ?? dayAfter(to, 1 - DAYS);
  const days = daysBetween(from, to);
  if (days < 1) throw fault('from', 'out_of_range', `from must not be after to, ${to}.`);
  if (days > DAYS_MAX)
    throw fault('from', 'out_of_range', `from and to must be at most ${DAYS_MAX} days.`);
  return { from, to };
}

const NOTHING: Sent = { accepted: 0, rejected: 0, unanswered: 0 };

const MEANINGS: Partial<Record<DeliveryState, keyof Sent>> = {
  accepted: 'accepted',
  rejected: 'rejected',
  unknown: 'unanswered',
  abandoned: 'unanswered',
  expired: 'unanswered',
};
const COUNTED = Object.keys(MEANINGS) as DeliveryState[];

/** By the day on which an attempt was opened; without a campaign the index alone tells. */
async function readSent(
  { from, to, campaign_id }: { from: string; to: string; campaign_id: string | undefined },
  { collections, org_id, party_id, org }: PartnerContext,
): Promise<Map<string, Sent>> {
  const opened = {
    $gte: startOfDay(from, org.time_zone),
    $lt: startOfDay(dayAfter(to), org.time_zone),
  };
  const ofState = async (state: DeliveryState) => {
    const own: Filter<DeliveryDoc> = {
      buyer_id: party_id,
      state,
      created_at: opened,
      ...(campaign_id === undefined ? {} : { campaign_id, org_id }),
    };
    const day = {
      $dateToString: { date: '$created_at', format: '%Y-%m-%d', timezone: org.time_zone },
    };
    const found = await collections.deliveries
      .aggregate<{ _id: string; count: number }>(
        [{ $match: own }, { $group: { _id: day, count: { $sum: 1 } } }],
        { hint: DELIVERIES_OF_BUYER },
      )
      .toArray();
    return found.map(({ _id, count }) => ({ day: _id, state, count }));
  };
  const days = new Map<string, Sent>();
  for (const { day, state, count } of (await Promise.all(COUNTED.map(ofState))).flat()) {
    const sum = days.get(day) ?? { ...NOTHING };
    const meaning = MEANINGS[state];
    if (meaning) sum[meaning] += count;
    days.set(day, sum);
  }
  return days;
}

function ratesOf(sent: readonly Sent[], rows: readonly ReportRow[]) {
  const sum = (of: keyof Sent) => sent.reduce((total, one) => total + one[of], 0);
  const [accepted, rejected, unanswered] = [sum('accepted'), sum('rejected'), sum('unanswered')];
  const made = (of: 'sales' | 'returned' | 'converted' | 'revenue') =>
    rows.reduce((total, row) => total + row[of], 0);
  const [sold, returned] = [made('sales'), made('returned')];
  return {
    sent: accepted + rejected + unanswered,
    accepted,
    rejected,
    unanswered,
    acceptance_rate: shareOf(accepted, accepted + rejected),
    sold,
    returned,
    return_rate: shareOf(returned, sold),
    converted: made('converted'),
    spend: fromMicros(made('revenue')),
  };
}

const shareOf = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.round((part / whole) * 10_000) / 10_000;
