/** A buyer's acceptance rate of deliveries and its return rate of sales, by day. */
import { z } from 'zod';
import { fromMicros } from '../../../fields/money.js';
import { readAttemptDays } from '../../../reports/attemptDays.js';
import {
  NO_ATTEMPTS,
  totalAttempts,
  type AttemptSums,
} from '../../../reports/rules/attemptSums.js';
import { readLeadDays, totalOf, type LeadDay } from '../../../reports/leadDays.js';
import { definePartnerCall } from '../call.js';
import { daysOf, spanOf } from '../span.js';
import { Amount, SpanInput, Day } from '../schemas/shared.js';

const Rates = z.object({
  /** Deliveries that the buyer answered, or should have. */
  sent: z.number().int(),
  accepted: z.number().int(),
  rejected: z.number().int(),
  unanswered: z.number().int(),
  /** Accepted out of answered, 0 to 1; null without any. */
  acceptance_rate: z.number().nullable(),
  sold: z.number().int(),
  returned: z.number().int(),
  /** Returned out of sold, 0 to 1; null without any. */
  return_rate: z.number().nullable(),
  converted: z.number().int(),
  spend: Amount,
});

export const getDailyRates = definePartnerCall({
  name: 'get_daily_rates',
  effect: 'read',
  input: SpanInput,
  output: z.object({
    from: Day,
    to: Day,
    totals: Rates,
    /** Every day of the span, oldest first. */
    days: z.array(Rates.extend({ day: Day })),
  }),
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
