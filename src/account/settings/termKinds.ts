/** Kinds of terms of campaigns and links. */
import { z } from 'zod';
import type { FilterGroup } from '../../fields/filterRules.js';
import { Filters, type FilterNodeInput } from '../../fields/filterSchema.js';
import { normalizeState } from '../../fields/normalize.js';
import { numberWithin, wholeNumber } from '../../lib/schema/settings.js';
import { customIssue } from '../../lib/schema/zodIssues.js';
import { setting } from './settingsTable.js';

export const ActiveStatus = z.enum(['active', 'paused']);

const STATES_MAX = 100;
const WEIGHT_MAX = 1_000_000;
const WEIGHT = `must be a number from 0 to ${WEIGHT_MAX} with at most 4 decimals`;

/** A share of a WEIGHTED campaign. */
export const Weight = z.codec(numberWithin(0, WEIGHT_MAX, WEIGHT), z.number(), {
  decode(weight, { issues }) {
    if (Math.round(weight * 1e4) / 1e4 !== weight)
      issues.push({ ...customIssue('out_of_range', WEIGHT), input: weight });
    return weight;
  },
  encode: (weight) => weight,
});

/**
 * Two-letter codes. Stored in upper case, each once: the codes that a lead's state can be, so that no link waits for one
 * that never comes.
 */
export const States = z.codec(
  z
    .array(z.string('must be text'), 'must be a list')
    .max(STATES_MAX, `must have at most ${STATES_MAX} entries`),
  z.array(z.string()),
  {
    decode(written, { issues }) {
      const codes = written.map((state) => normalizeState(state));
      const stray = written.find((_, n) => codes[n] === null);
      if (stray === undefined) return [...new Set(codes.filter((code) => code !== null))];
      const rule = `must contain two-letter codes of US states such as "CA"; "${stray.trim().slice(0, 40)}" is not one`;
      issues.push({ ...customIssue('invalid_format', rule), input: written });
      return z.NEVER;
    },
    encode: (codes) => codes,
  },
);

export const RevenueShare = numberWithin(0, 100, 'must be a percentage, 0 to 100');

export const Priority = wholeNumber(0, 1_000_000).nullable();

/** Which leads a campaign, or a buyer, accepts. */
export const LeadFilters = setting(
  Filters as z.ZodType<FilterGroup | null, FilterNodeInput | null>,
  { default: null, label: 'Filters', about: Filters.description ?? '' },
);
