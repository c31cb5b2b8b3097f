/** How often a supplier's pings get bids and are redeemed, and the average bid. */
import { z } from 'zod';
import { fromMicros } from '../../../fields/money.js';
import { totalPings } from '../../../pings/rules/rollups.js';
import { readSupplierPingDays, type PingDay } from '../../../reports/pingReport.js';
import { definePartnerCall } from '../call.js';
import { readCampaignNames, linkOf } from './links.js';
import { daysOf, spanOf } from '../span.js';
import { SpanInput, Day, Named } from '../schemas/shared.js';

const PingSums = z.object({
  pings: z.number().int(),
  /** Answered with at least one bid. */
  answered: z.number().int(),
  /** Posted with their ping_id. */
  redeemed: z.number().int(),
  /** Redeemed out of answered, 0 to 1; null without any. */
  win_rate: z.number().nullable(),
  /** Best bids on average; null without any. */
  average_bid: z.number().nullable(),
});

export const getPingStats = definePartnerCall({
  name: 'get_ping_stats',
  effect: 'read',
  input: SpanInput,
  output: z.object({
    from: Day,
    to: Day,
    currency: z.string(),
    totals: PingSums,
    days: z.array(PingSums.extend({ day: Day })),
    campaigns: z.array(PingSums.extend({ campaign: Named })),
  }),
  async run(input, context) {
    const { org_id: orgId, party_id: supplier_id, org } = context;
    const { campaign_id } = input;
    const span = spanOf(input, context);
    if (campaign_id !== undefined) await linkOf(context, campaign_id);
    const scope = { orgId, supplier_id, campaign_id, ...span };
    const found = await readSupplierPingDays(context, scope);
    const ofDay = Map.groupBy(found, ({ day }) => day);
    const ofCampaign = Map.groupBy(found, (one) => one.campaign_id);
    const nameOf = await readCampaignNames(context, [...ofCampaign.keys()]);
    return {
      ...span,
      currency: org.currency,
      totals: statsOf(found),
      days: daysOf(span).map((day) => ({ day, ...statsOf(ofDay.get(day) ?? []) })),
      campaigns: [...ofCampaign]
        .map(([id, some]) => ({ campaign: nameOf(id), ...statsOf(some) }))
        .sort((a, b) => b.pings - a.pings),
    };
  },
});

function statsOf(days: readonly PingDay[]) {
  const { pings, accepted, redeemed, bids } = totalPings(days.map(({ sums }) => sums));
  return {
    pings,
    answered: accepted,
    redeemed,
    win_rate: accepted === 0 ? null : redeemed / accepted,
    average_bid: accepted === 0 ? null : fromMicros(Math.round(bids / accepted)),
  };
}
