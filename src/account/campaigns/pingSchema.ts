/** How a campaign answers pings (contract 5.3), and margins: the allowed values, published, parsed and typed. */
import { z } from 'zod';
import { fromMicros, readMicros, toMicros } from '../../fields/money.js';
import { patchOf } from '../../lib/schema/patchOf.js';
import { choice, flag, wholeNumber } from '../../lib/schema/settings.js';
import { customIssue } from '../../lib/schema/zodIssues.js';
import { Money, MONEY_RULE, MoneyInMicros } from '../moneySchema.js';
import { DEFAULT_PING_SETTINGS as USUAL, type Margin } from '../rules/pingSettings.js';

const MARGIN_RULE = 'must be { "percent": 15 } or { "fixed": 2.5 }, one of the two';
const PERCENT_RULE = 'percent must be a number, 0 to 100, with at most 4 decimals';
const PERCENT_STEPS = 10_000;

/** One of two; which of them is meant, and its fault, are reported for the margin as a whole. */
export const MarginSchema = z.codec(
  z
    .strictObject(
      {
        percent: z
          .number(PERCENT_RULE)
          .nullish()
          .meta({ minimum: 0, maximum: 100 })
          .describe("Percent of the buyer's price, 0 to 100"),
        fixed: z.number(`fixed ${MONEY_RULE}`).nullish().describe("In the account's currency"),
      },
      MARGIN_RULE,
    )
    .meta({ examples: [{ percent: 15 }] }),
  z.custom<Margin>(),
  {
    decode(given, { issues }) {
      const rule = marginRule(given);
      if (rule !== null) issues.push({ ...customIssue('out_of_range', rule), input: given });
      if (rule !== null) return z.NEVER;
      return given.percent == null
        ? { fixed: toMicros(given.fixed ?? 0) }
        : { percent: given.percent };
    },
    encode: (margin) => ('percent' in margin ? margin : { fixed: fromMicros(margin.fixed) }),
  },
);

/** As answers show one. */
export const MarginView = z
  .union([
    z.object({ percent: z.number().describe("Of the buyer's price") }),
    z.object({ fixed: Money }),
  ])
  .describe("The margin kept from a buyer's price");

/** The rule that a margin breaks; null: none. */
function marginRule({ percent, fixed }: MarginInput): string | null {
  if ((percent == null) === (fixed == null)) return MARGIN_RULE;
  if (percent != null) {
    const isExact = Math.round(percent * PERCENT_STEPS) / PERCENT_STEPS === percent;
    return percent >= 0 && percent <= 100 && isExact ? null : `${PERCENT_RULE}; ${percent} is not`;
  }
  return readMicros(fixed) !== null
    ? null
    : `fixed ${MONEY_RULE}. ${String(fixed)} is not such an amount`;
}

export interface MarginInput {
  percent?: number | null;
  fixed?: number | null;
}

export const PingSettingsSchema = z.strictObject({
  margin: MarginSchema.default(USUAL.margin).describe(
    "The margin kept from a buyer's price when the supplier's terms do not set the cost; null: none",
  ),
  min_bid: MoneyInMicros.nullable()
    .default(USUAL.min_bid)
    .describe('Lower bids, after the margin, are left out; null: no minimum'),
  max_bid: MoneyInMicros.nullable()
    .default(USUAL.max_bid)
    .describe('Higher computed bids are lowered to it; null: no maximum'),
  bid_decimals: wholeNumber(0, 4)
    .default(USUAL.bid_decimals)
    .describe('Decimals that bids are rounded down to, 0 to 4; default 2'),
  reveal_buyers: flag()
    .default(USUAL.reveal_buyers)
    .describe("Default true; false: suppliers see aliases instead of buyers' names and ids"),
  deadline_ms: wholeNumber(100, 3_000)
    .default(USUAL.deadline_ms)
    .describe('Deadline for the bids of all buyers, 100 to 3000 milliseconds; default 750'),
  check_duplicates: flag()
    .default(USUAL.check_duplicates)
    .describe('Default true: a ping for a lead that would be a duplicate is refused'),
  on_difference: choice(['REFUSE', 'WARN'])
    .default(USUAL.on_difference)
    .describe('How a lead is handled whose fields differ from its ping; default REFUSE'),
});

/** Amounts in currency. Null resets a setting to its default. */
export const PingSettingsPatch = patchOf(PingSettingsSchema);
export type PingSettingsInput = z.input<typeof PingSettingsPatch>;
