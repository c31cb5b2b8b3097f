/** Money as a person writes it, in the currency of the account. */
import { z } from 'zod';
import { customIssue } from '../lib/schema/zodIssues.js';
import { fromMicros, toMicros, type Micros } from '../fields/money.js';

export const MONEY_RULE = 'must be 0 or more with at most 4 decimals, such as 12.5';

/** The published schema of an amount; `MoneyInMicros` checks whether it can be counted exactly. */
export const Money = z
  .number(MONEY_RULE)
  .min(0, { error: ({ input }) => `${MONEY_RULE}; ${String(input)} is negative` })
  .describe('In the currency of the account, at most 4 decimals');

/** The amount in micro-units, or why it has none: it is finer than 4 decimals, or too large to count exactly. */
export function readMicros(amount: number): Micros | RangeError {
  try {
    return toMicros(amount);
  } catch (error) {
    if (error instanceof RangeError) return error;
    throw error;
  }
}

/** The amount in micro-units. */
export const MoneyInMicros = z.codec(Money, z.int(), {
  decode(amount, { issues }): Micros {
    const micros = readMicros(amount);
    if (typeof micros === 'number') return micros;
    issues.push({
      ...customIssue('out_of_range', `${MONEY_RULE}. ${micros.message}`),
      input: amount,
    });
    return z.NEVER;
  },
  encode: fromMicros,
});
