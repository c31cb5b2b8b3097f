/** Caps and budgets as a person writes them: one schema checks them and is published. */
import { z } from 'zod';
import { wholeNumber } from '../lib/schema/settings.js';
import { readParts, settled } from '../lib/schema/zodIssues.js';
import { Money, MoneyInMicros } from './moneySchema.js';
import type { CapLimits } from './rules/capLimits.js';

const CAP_MAX = 1_000_000_000;

const limit = <S extends z.ZodType>(kind: S, description: string) =>
  kind.nullable().optional().describe(description);
const count = (span: string) => limit(wholeNumber(0, CAP_MAX), `Maximum leads ${span}`);
const budget = <S extends z.ZodType>(money: S, span: string) =>
  limit(money, `Maximum spend ${span}, in the account's currency`);

const limits = <S extends z.ZodType>(money: S) => ({
  daily_cap: count('a day'),
  weekly_cap: count('a week, from Monday'),
  monthly_cap: count('a month'),
  total_cap: count('ever'),
  daily_budget: budget(money, 'a day'),
  weekly_budget: budget(money, 'a week, from Monday'),
  monthly_budget: budget(money, 'a month'),
  total_budget: budget(money, 'ever'),
});

/** Limits in the account's time zone: counts, and budgets in currency. Null or absent is no limit. */
export const caps = limits(Money);
export type CapInput = z.input<z.ZodObject<typeof caps>>;

const CapsInMicros = z.strictObject(limits(MoneyInMicros));

/** @throws {AppError} `validation_failed` naming every cap and budget that is not valid */
export function checkCaps(input: CapInput): CapLimits {
  const known = settled(
    '',
    readParts(CapsInMicros, input, () => 'is not a cap'),
  );
  return Object.fromEntries(Object.entries(known).filter(([, value]) => value !== null));
}

/** Maximum pings per day; null: no limit. */
export const DailyPingCap = wholeNumber(0, CAP_MAX).nullable();
