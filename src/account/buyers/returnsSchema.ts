/** Which leads a buyer may return (contract 7.5): what the settings may hold, published, parsed and typed. */
import { z } from 'zod';
import { patchOf } from '../../lib/schema/patchOf.js';
import { flag, numberWithin } from '../../lib/schema/settings.js';

const DAYS_MAX = 365;
const HOURS_MAX = 720;
const COUNT_MAX = 1_000_000;

/** Published as a plain number: a fraction is reported by the settings, together with every other problem. */
function whole(min: number, max: number) {
  const error = `must be a whole number, ${min} to ${max}`;
  const params = { code: 'out_of_range' };
  return numberWithin(min, max, error)
    .refine((given) => Number.isInteger(given), { error, params })
    .nullable()
    .default(null);
}

const PERCENT_RULE = 'must be a percentage, 0 to 100, with at most 2 decimals';
const percent = numberWithin(0, 100, PERCENT_RULE)
  .refine((given) => Math.round(given * 100) / 100 === given, {
    error: PERCENT_RULE,
    params: { code: 'out_of_range' },
  })
  .nullable()
  .default(null);

export const Returns = z.strictObject({
  allowed: flag().default(true).describe('The buyer may return leads; default true'),
  max_age_days: whole(1, DAYS_MAX).describe('Days since the sale, 1 to 365; null: any age'),
  max_share_pct: percent.describe(
    'Percent of the leads it bought that were received in the same month, 0 to 100; null: any share',
  ),
  max_per_month: whole(0, COUNT_MAX).describe(
    'Returns of leads that were received in the same month, 0 to 1000000; null: any number',
  ),
  auto_accept_hours: whole(0, HOURS_MAX).describe(
    'Hours after which an undecided return is accepted, 0 to 720, 0: at once; null: never',
  ),
  reverse_cost: flag()
    .default(false)
    .describe('The supplier gets nothing for a returned lead; false: its cost stays'),
  resell: flag()
    .default(false)
    .describe('A returned lead is sold again, to the next buyer of its campaign'),
});
export type ReturnSettings = z.output<typeof Returns>;

/** The settings of a buyer for which none were set. */
export const DEFAULT_RETURNS: ReturnSettings = Returns.parse({});

/** Null resets a setting to its default. */
export const ReturnsPatch = patchOf(Returns);
export type ReturnsInput = z.input<typeof ReturnsPatch>;
