/** The message of a failed rule for the supplier, one sentence. */
import { dayBefore, isIsoDate } from './filterOperators.js';
import type { FilterContext, FilterRule, FilterValue } from './filterRules.js';
import type { Scalar } from './values.js';
import { isKnownZip } from './zips.js';
import { normalizeZip } from './normalize.js';

/** Longer lists are cut: a list of zip codes can be as long as a book. */
const SHOWN = 20;

/** The rule's value as the failure shows it, lists and centers of a radius cut to the first 20; null for none. */
export function shortened(value: FilterValue | undefined): FilterValue | null {
  if (value === undefined) return null;
  if (Array.isArray(value)) return value.slice(0, SHOWN);
  return typeof value === 'object' ? { ...value, zips: value.zips.slice(0, SHOWN) } : value;
}

/** Such as "age must be at least 18". */
export function messageOf(
  rule: FilterRule,
  actual: Scalar | undefined,
  context: FilterContext,
): string {
  return `${rule.field} must ${wanted(rule, context)}${unknownZip(rule, actual)}`;
}

function wanted({ operator, value }: FilterRule, context: FilterContext): string {
  const one = listed(value);
  const isDate = typeof value === 'string' && isIsoDate(value);
  switch (operator) {
    case '==':
      return `be ${one}`;
    case '!=':
      return `not be ${one}`;
    case 'IN':
      return `be one of: ${one}`;
    case 'NOT IN':
      return `not be one of: ${one}`;
    case '>':
      return `be ${isDate ? 'after' : 'more than'} ${one}`;
    case '<':
      return `be ${isDate ? 'before' : 'less than'} ${one}`;
    case '>=':
      return `be ${isDate ? 'on or after' : 'at least'} ${one}`;
    case '<=':
      return `be ${isDate ? 'on or before' : 'at most'} ${one}`;
    case 'CONTAINS':
      return `contain ${one}`;
    case 'DOES NOT CONTAIN':
      return `not contain ${one}`;
    case 'IS EMPTY':
      return 'be empty';
    case 'IS NOT EMPTY':
      return 'not be empty';
    case 'MATCHES':
      return `match the pattern ${one}`;
    case '>= N days ago':
      return `be on or after ${limitOf(value, context)}`;
    case '<= N days ago':
      return `be on or before ${limitOf(value, context)}`;
    case 'IN LIST':
      return `be one of the zip codes ${one}`;
    case 'WITHIN RADIUS':
      return `be a zip code ${radiusOf(value)}`;
  }
}

function listed(value: FilterValue | undefined): string {
  if (value === undefined) return '';
  if (!Array.isArray(value)) return typeof value === 'object' ? radiusOf(value) : String(value);
  const shown = value.slice(0, SHOWN).join(', ');
  return value.length > SHOWN ? `${shown}, … (${value.length} in all)` : shown;
}

const limitOf = (value: FilterValue | undefined, context: FilterContext): string =>
  typeof value === 'number' ? `${dayBefore(value, context)} (${value} days ago)` : '';

function radiusOf(value: FilterValue | undefined): string {
  if (typeof value !== 'object' || Array.isArray(value)) return '';
  const { zips, miles } = value;
  const centers = zips.length > 1 ? `one of: ${listed(zips)}` : listed(zips);
  return `within ${miles} miles of ${centers}`;
}

/** Adds that the zip code is unknown: a radius cannot be checked for a code that is not in the table. */
function unknownZip({ operator }: FilterRule, actual: Scalar | undefined): string {
  if (operator !== 'WITHIN RADIUS' || actual === undefined) return '';
  const zip = normalizeZip(String(actual));
  return zip !== null && isKnownZip(zip) ? '' : '; the zip code is not known';
}
