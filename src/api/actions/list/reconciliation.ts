/** The figures to compare with the books of a buyer. */
import { z } from 'zod';
import { findBuyer } from '../../../account/buyers/buyers.js';
import { findCampaign } from '../../../account/campaigns/campaigns.js';
import { fromMicros } from '../../../fields/money.js';
import { total, type Sums } from '../../../reports/rules/rollups.js';
import {
  NOTHING_DELIVERED,
  readReconciliation,
  type Delivered,
} from '../../../outcomes/reconciliation.js';
import { defineAction } from '../action.js';
import { readNames } from '../recordNames.js';
import { id, Money, recordId, recordName } from '../schemas/common.js';
import { scope, span, uncounted } from '../schemas/report.js';
import { scopeOf } from '../reportFigures.js';

const EXAMPLE_ID = '8a4e5d0c-2f4b-4a35-8f0e-0d6f3ad1c2b7';

const count = (what: string) => z.number().int().describe(what);

/** Deliveries by the day they were sent; sales and money by the day their lead came in. */
const figures = {
  sent: count('Leads that reached the buyer, or may have: accepted, rejected and unknown together'),
  accepted: count('Leads that it accepted'),
  rejected: count('Leads that it refused'),
  unknown: count('Leads that were sent and never answered'),
  expired: count('Leads that waited for it, or for its answer, until they expired'),
  sales: count('Leads that it bought, by the day they were received'),
  returned: count('Sales that were returned'),
  converted: count('Sales that became customers, as the buyer reports'),
  not_qualified: count('Sales that did not qualify, as the buyer reports'),
  revenue: Money.describe('Current revenue of its sales: with conversions, without returns'),
  conversion_revenue: Money.describe('The part of revenue from sales that became customers'),
  reversed: Money.describe('Revenue that returns removed'),
};

const Line = z.object({
  campaign_id: recordId('campaign'),
  campaign: recordName('campaign'),
  ...figures,
});

export const getBuyerReconciliation = defineAction({
  name: 'get_buyer_reconciliation',
  cli: ['reports', 'reconcile-buyer'],
  summary: "Reconcile with a buyer's records",
  description:
    "The deliveries to a buyer, their results and their revenue, by campaign and in total. Days are in the account's " +
    'time zone, both ends included: deliveries count on the day they were sent, sales and money on the day their ' +
    'lead was received. Test leads are not counted.',
  permission: 'reports:read',
  input: z.strictObject({
    buyer_id: id('buyer'),
    date_from: scope.date_from,
    date_to: scope.date_to,
    campaign_id: id('campaign').optional().describe('Only this campaign'),
  }),
  example: { buyer_id: EXAMPLE_ID, date_from: '2026-01-01', date_to: '2026-01-31' },
  rows: 'campaigns',
  output: z.object({
    ...span,
    buyer_id: recordId('buyer'),
    buyer: recordName('buyer'),
    total: z.object(figures).describe('All campaigns together'),
    campaigns: z.array(Line).describe('Those with any figure, most revenue first'),
    uncounted,
  }),
  async run(input, context) {
    const { collections, caller } = context;
    const buyer = await findBuyer(context, input.buyer_id);
    const { campaign_id: only } = input;
    if (only !== undefined) await findCampaign({ collections, orgId: caller.org_id }, only);
    const within = { ...(await scopeOf(input, context)), buyer_id: buyer._id };
    const found = await readReconciliation(context, within);
    const byCampaign = Map.groupBy(found.sums, ({ key }) => key ?? '');
    const ids = [
      ...new Set([...found.delivered.keys(), ...byCampaign.keys(), ...found.reversed.keys()]),
    ];
    const names = await readNames(collections.campaigns, ids, caller.org_id);
    const lines = ids.map((campaign_id) => ({
      campaign_id,
      campaign: names.get(campaign_id) ?? campaign_id,
      ...figuresOf(
        found.delivered.get(campaign_id) ?? NOTHING_DELIVERED,
        total(byCampaign.get(campaign_id) ?? []),
        found.reversed.get(campaign_id) ?? 0,
      ),
    }));
    const reversed = [...found.reversed.values()].reduce((sum, one) => sum + one, 0);
    return {
      date_from: within.from,
      date_to: within.to,
      buyer_id: buyer._id,
      buyer: buyer.name,
      total: figuresOf(together([...found.delivered.values()]), total(found.sums), reversed),
      campaigns: lines.filter(hasAny).toSorted(byRevenue),
      uncounted: found.uncounted,
    };
  },
});

function figuresOf(delivered: Delivered, sums: Sums, reversed: number) {
  const { accepted, rejected, unknown, expired } = delivered;
  const { sales, returned, converted, not_qualified } = sums;
  return {
    sent: accepted + rejected + unknown,
    accepted,
    rejected,
    unknown,
    expired,
    sales,
    returned,
    converted,
    not_qualified,
    revenue: fromMicros(sums.revenue),
    reversed: fromMicros(reversed),
    conversion_revenue: fromMicros(sums.conversion_revenue),
  };
}

type Figures = ReturnType<typeof figuresOf>;

const together = (all: readonly Delivered[]): Delivered =>
  all.reduce(
    (sum, one) => ({
      accepted: sum.accepted + one.accepted,
      rejected: sum.rejected + one.rejected,
      unknown: sum.unknown + one.unknown,
      expired: sum.expired + one.expired,
    }),
    NOTHING_DELIVERED,
  );

const hasAny = (line: Figures): boolean => line.sent + line.expired + line.sales > 0;

const byRevenue = (a: Figures & { campaign: string }, b: Figures & { campaign: string }): number =>
  b.revenue - a.revenue || a.campaign.localeCompare(b.campaign);
