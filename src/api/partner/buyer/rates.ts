/** A buyer's acceptance rate of deliveries and its return rate of sales, by day. */
import { dayAfter, daysBetween } from '../../../fields/days.js';
import { fromMicros } from '../../../fields/money.js';
import { windowKeys } from '../../../fields/windowKeys.js';
import { readAttemptDays } from '../../../reports/attemptDays.js';
import {
  NO_ATTEMPTS,
  totalAttempts,
  type AttemptSums,
} from '../../../reports/rules/attemptSums.js';
import { readLeadDays, totalOf, type LeadDay } from '../../../reports/leadDays.js';
import { definePartnerCall, type PartnerContext } from '../call.js';
import { fault } from '../refusals.js';
import { GetDailyRates } from '../schemas/buyer.js';

const DAYS_MAX = 92;
const DAYS = 30;

export const getDailyRates = definePartnerCall({
  name: 'get_daily_rates',
  side: 'buyer',
  effect: 'read',
  ...GetDailyRates,
  async run(input, context) {
    const { org_id, party_id: buyer_id } = context;
    const { from, to } = spanOf(input, context);
    const { campaign_id } = input;
    const [sent, leads] = await Promise.all([
      readAttemptDays(context, {
        from,
        to,
        campaign_id,
        buyer_id,
        org_id,
        time_zone: context.org.time_zone,
      }),
      readLeadDays(context, { orgId: org_id, buyer_id, from, to, campaign_id }),
    ]);
    const days = Array.from({ length: daysBetween(from, to) }, (_, at) => dayAfter(from, at));
    const leadsOf = Map.groupBy(leads, ({ day }) => day);
    return {
      from,
      to,
      totals: ratesOf(totalAttempts([...sent.values()]), leads),
      days: days.map((day) => ({
        day,
        ...ratesOf(sent.get(day) ?? NO_ATTEMPTS, leadsOf.get(day) ?? []),
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

function ratesOf({ accepted, rejected, unanswered }: AttemptSums, leads: readonly LeadDay[]) {
  const { sales: sold, returned, converted, revenue } = totalOf(leads);
  return {
    sent: accepted + rejected + unanswered,
    accepted,
    rejected,
    unanswered,
    acceptance_rate: shareOf(accepted, accepted + rejected),
    sold,
    returned,
    return_rate: shareOf(returned, sold),
    converted,
    spend: fromMicros(revenue),
  };
}

const shareOf = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.round((part / whole) * 10_000) / 10_000;
