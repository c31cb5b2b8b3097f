/** Caps and budgets as a person writes them: one schema checks them and is published. */
import { z } from 'zod';
import { WEEKDAYS, type Weekday } from '../fields/days.js';
import { pickDefined, withoutNull } from '../lib/defined.js';
import { wholeNumber } from '../lib/schema/settings.js';
import { readParts, settled } from '../lib/schema/zodIssues.js';
import { Money, MoneyInMicros } from './moneySchema.js';
import { eachLimit, type CapLimits } from './rules/capLimits.js';
import { capsShape } from './rules/planShape.js';

const CAP_MAX = 1_000_000_000;

const optional = <S extends z.ZodType>(kind: S, description: string) =>
  kind.nullable().optional().describe(description);

const eachWeekday = <T>(value: T): Record<Weekday, T> =>
  Object.fromEntries(WEEKDAYS.map((day) => [day, value])) as Record<Weekday, T>;

const limits = <S extends z.ZodType>(money: S) => ({
  ...eachLimit('cap', ({ period }) => optional(wholeNumber(0, CAP_MAX), `Maximum leads ${period}`)),
  daily_caps: optional(
    z
      .strictObject(eachWeekday(optional(wholeNumber(0, CAP_MAX), 'null: daily_cap holds')))
      .meta({ examples: [{ mon: 40, sun: 0 }] }),
    'Maximum leads on single weekdays, in the place of daily_cap: {"mon": 40, "sun": 0}',
  ),
  ...eachLimit('budget', ({ period }) =>
    optional(money, `Maximum spend ${period}, in the account's currency`),
  ),
});

/** Limits in the account's time zone: counts, and budgets in currency. Null or absent is no limit. */
export const caps = limits(Money);
export type CapInput = z.input<z.ZodObject<typeof caps>>;
export const CAP_KEYS = Object.keys(caps) as (keyof CapInput)[];

const CapsInMicros = z.strictObject(limits(MoneyInMicros));

/** @throws {AppError} `validation_failed` naming every cap and budget that is not valid */
export function checkCaps(input: CapInput): CapLimits {
  const known = settled(
    '',
    readParts(CapsInMicros, input, () => 'is not a cap'),
  );
  const { daily_caps, ...others } = withoutNull<CapLimits>(known);
  const days = withoutNull(daily_caps ?? {});
  return Object.keys(days).length === 0 ? others : { ...others, daily_caps: days };
}

/** The given limits over the present ones, as a person writes them; undefined where none was given. */
export function capsGiven(input: CapInput, current: CapLimits): CapInput | undefined {
  const given = pickDefined(input, CAP_KEYS);
  return Object.keys(given).length === 0 ? undefined : { ...capsShape(current), ...given };
}

/** Maximum pings per day; null: no limit. */
export const DailyPingCap = wholeNumber(0, CAP_MAX).nullable();
