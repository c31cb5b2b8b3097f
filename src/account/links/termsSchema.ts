/** Terms of links as a person writes them: their schemas check them and are published. */
import { z } from 'zod';
import { normalizeState } from '../../fields/normalize.js';
import { numberWithin, wholeNumber } from '../../lib/schema/settings.js';
import { customIssue } from '../../lib/schema/zodIssues.js';

const STATES_MAX = 100;
const WEIGHT_MAX = 1_000_000;
const WEIGHT = `must be a number from 0 to ${WEIGHT_MAX} with at most 4 decimals`;

/** The published schema of a weight; `ExactWeight` limits its decimals. */
export const Weight = z
  .number(WEIGHT)
  .min(0, WEIGHT)
  .max(WEIGHT_MAX, WEIGHT)
  .describe('Weight in a WEIGHTED campaign');

export const ExactWeight = Weight.superRefine((weight, context) => {
  if (Math.round(weight * 1e4) / 1e4 === weight) return;
  context.addIssue({ ...customIssue('out_of_range', WEIGHT), input: weight });
});

/** The published schema of states; `StateCodes` is their normal form. */
export const States = z
  .array(z.string('must be text'), 'must be a list')
  .max(STATES_MAX, `must have at most ${STATES_MAX} entries`)
  .describe('Two-letter codes of US states; empty: every state');

/** In upper case, each once: the codes that a lead's state can be, so that no link waits for one that never comes. */
export const StateCodes = States.transform((written, context) => {
  const codes = written.map((state) => normalizeState(state));
  const stray = written.find((_, n) => codes[n] === null);
  if (stray === undefined) return [...new Set(codes.filter((code) => code !== null))];
  const rule = `must contain two-letter codes of US states such as "CA"; "${stray.trim().slice(0, 40)}" is not one`;
  context.addIssue({ ...customIssue('invalid_format', rule), input: written });
  return z.NEVER;
});

export const RevenueShare = numberWithin(0, 100, 'must be a percentage, 0 to 100').describe(
  "For REVENUE_SHARE: percent of the buyer's price",
);

/** Lower is asked first. */
export const Priority = wholeNumber(0, 1_000_000)
  .nullable()
  .describe('Lower is asked first; null: last');
