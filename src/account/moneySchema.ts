/** Money as a person writes it, in the currency of the account. */
import { z } from 'zod';
import { customIssue } from '../lib/schema/zodIssues.js';
import { fromMicros, MONEY_MAX, readMicros, type Micros } from '../fields/money.js';

export const MONEY_RULE = 'must be 0 or more with at most 4 decimals, such as 12.5';

/** The published schema of an amount. */
export const Money = z
  .number(MONEY_RULE)
  .min(0, { error: ({ input }) => `${MONEY_RULE}; ${String(input)} is negative` })
  .max(MONEY_MAX.exact, `${MONEY_RULE}, and at most ${MONEY_MAX.exact}`)
  .describe('In the currency of the account, at most 4 decimals');

/** The amount in micro-units; finer than 4 decimals is refused. */
export const MoneyInMicros = z.codec(Money, z.int(), {
  decode(amount, { issues }): Micros {
    const micros = readMicros(amount);
    if (micros !== null) return micros;
    issues.push({
      ...customIssue('out_of_range', `${MONEY_RULE}; ${amount} is not`),
      input: amount,
    });
    return z.NEVER;
  },
  encode: fromMicros,
});
