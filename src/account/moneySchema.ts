/** Money as a person writes it, in the currency of the account. */
import { z } from 'zod';
import { customIssue } from '../lib/schema/zodIssues.js';
import type { Micros } from '../fields/money.js';
import { toMicros } from '../fields/money.js';

const RULE = 'must be 0 or more with at most 4 decimals, such as 12.5';

/** What is published of an amount; `MoneyInMicros` says whether it can be counted. */
export const Money = z
  .number(RULE)
  .min(0, { error: ({ input }) => `${RULE}; ${String(input)} is negative` })
  .describe('In the currency of the account, at most 4 decimals');

/** The amount in micro-units. One that is finer than 4 decimals, or too large to count exactly, is refused. */
export const MoneyInMicros = Money.transform((amount, context): Micros => {
  try {
    return toMicros(amount);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    context.addIssue({
      ...customIssue('out_of_range', `${RULE}. ${error.message}`),
      input: amount,
    });
    return z.NEVER;
  }
});
