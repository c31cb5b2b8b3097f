/** A buyer's acceptance rate of deliveries and its return rate of sales, by day. */
import { fromMicros } from '../../../fields/money.js';
import { readAttemptDays } from '../../../reports/attemptDays.js';
import {
  NO_ATTEMPTS,
  totalAttempts,
  type AttemptSums,
} from '../../../reports/rules/attemptSums.js';
import { readLeadDays, totalOf, type LeadDay } from '../../../reports/leadDays.js';
import { definePartnerCall } from '../call.js';
import { GetDailyRates } from '../schemas/buyer.js';
import { daysOf, spanOf } from '../span.js';

export const getDailyRates = definePartnerCall({
  name: 'get_daily_rates',
  effect: 'read',
  ...GetDailyRates,
  async run(input, context) {
    const { org_id, party_id: buyer_id } = context;
    const span = spanOf(input, context);
    const { from, to } = span;
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
    const leadsOf = Map.groupBy(leads, ({ day }) => day);
    return {
      ...span,
      totals: ratesOf(totalAttempts([...sent.values()]), leads),
      days: daysOf(span).map((day) => ({
        day,
        ...ratesOf(sent.get(day) ?? NO_ATTEMPTS, leadsOf.get(day) ?? []),
      })),
    };
  },
});

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
