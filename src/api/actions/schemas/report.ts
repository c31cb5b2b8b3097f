/** The inputs and outputs of reports. */
import { z } from 'zod';
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

export const marginPct = z
  .number()
  .describe('profit in percent of revenue, two decimals; 0 without revenue');

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
