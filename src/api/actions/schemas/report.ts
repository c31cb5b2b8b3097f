/** The inputs and outputs of reports, and the figures in them. */
import { z } from 'zod';
import { fromMicros } from '../../../fields/money.js';
import type { PingSums } from '../../../pings/rules/rollups.js';
import type { LineSums } from '../../../reports/rules/rollups.js';
import { Money, id } from './common.js';

const Day = z.iso.date();

/** Which leads: those that came in on these days. */
export const scope = {
  date_from: Day.optional().describe(
    "The first day, in the account's time zone; default: 30 days up to date_to",
  ),
  date_to: Day.optional().describe('The last day, inclusive; default: today'),
  campaign_id: id('campaign').optional().describe('Only leads of this campaign'),
  supplier_id: id('supplier').optional().describe('Only leads of this supplier'),
  buyer_id: id('buyer').optional().describe('Only leads that this buyer bought'),
};

const count = (what: string) => z.number().int().describe(what);

export const sums = {
  revenue: Money.describe('The amount that buyers pay'),
  cost: Money.describe('The amount that suppliers get'),
  profit: Money.describe('revenue less cost'),
};

export const moneyOf = ({ revenue, cost }: Pick<LineSums, 'revenue' | 'cost'>) => ({
  revenue: fromMicros(revenue),
  cost: fromMicros(cost),
  profit: fromMicros(revenue - cost),
});

export const counts = {
  total_leads: count('Leads received, whatever their result; test leads are not counted'),
  accepted: count('Sold'),
  pending: count('Accepted for a later decision'),
  unmatched: count('No buyer accepted them'),
  duplicate: count('Repeats'),
  rejected: count("Refused by the campaign's filters or lists, or by a limit of the supplier"),
  expired: count('Accepted for a later decision, and not sold in time'),
  sales: count('Exceeds accepted when leads are sold to several buyers'),
};

export const pingFigures = z
  .object({
    pings: count('Pings received; test pings are not counted'),
    accepted: count('Pings with a bid'),
    redeemed: count('A lead was posted to them'),
    win_rate: z.number().describe('redeemed in percent of accepted, two decimals; 0 without any'),
    average_bid: Money.describe('The mean of the best bids, as shown to suppliers; 0 without any'),
  })
  .describe('Pings of these days; for a buyer, or by buyer: the pings it bid on, and its bids');

export function pingFiguresOf({
  pings,
  accepted,
  redeemed,
  bids,
}: PingSums): z.output<typeof pingFigures> {
  if (accepted === 0) return { pings, accepted, redeemed, win_rate: 0, average_bid: 0 };
  const win_rate = Math.round((redeemed / accepted) * 10_000) / 100;
  return { pings, accepted, redeemed, win_rate, average_bid: fromMicros(bids / accepted) };
}

export const marginPct = z
  .number()
  .describe('profit in percent of revenue, two decimals; 0 without revenue');

export const marginOf = ({ revenue, cost }: Pick<LineSums, 'revenue' | 'cost'>): number =>
  revenue === 0 ? 0 : Math.round(((revenue - cost) / revenue) * 10_000) / 100;

export const acceptancePct = z
  .number()
  .describe('accepted in percent of the leads that are decided, one decimal; 0 without any');

/** The figures of a line. */
export const figures = {
  count: count('Leads'),
  rest: {
    accepted: counts.accepted,
    rejected: counts.rejected,
    ...sums,
    margin_pct: marginPct,
    acceptance_pct: acceptancePct,
  },
};

export const span = {
  date_from: Day.describe('The first day that is counted'),
  date_to: Day.describe('The last day that is counted'),
};

export const uncounted = z
  .number()
  .int()
  .describe(
    'Leads and pings whose latest change is not counted yet; 0 except under very high load',
  );
