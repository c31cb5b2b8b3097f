/** The rules of a field in words. */
import type { FieldRule, Transform } from '../../fields/fieldRule.js';

const VALUES_SHOWN = 50;

const TRANSFORMS: Record<Transform, string> = {
  trim: 'leading and trailing blanks are removed',
  lowercase: 'converted to lower case',
  uppercase: 'converted to upper case',
  titlecase: 'each word is capitalized',
  phone_e164: 'converted to the form +15551234567',
  date_iso: 'converted to the form 2026-01-31',
  zip5: 'cut to five digits',
  digits: 'all characters except digits are removed',
};

/** Each rule in addition to the type and whether it is required, in the order in which they are checked. */
export function rulesInWords(rule: FieldRule): string[] {
  const { transforms = [], strict, max_length, allowed_values, min, max, pattern } = rule;
  return [
    ...transforms.map((name) => TRANSFORMS[name]),
    ...(strict ? ['must exist in the numbering plan of its country'] : []),
    ...(max_length === undefined ? [] : [`at most ${max_length} characters`]),
    ...(allowed_values === undefined ? [] : [`one of: ${listed(allowed_values)}`]),
    ...(min === undefined ? [] : [`at least ${min}`]),
    ...(max === undefined ? [] : [`at most ${max}`]),
    ...(pattern === undefined ? [] : [`must match the pattern ${pattern}`]),
    ...(rule.default === undefined ? [] : [`${String(rule.default)} when it is missing`]),
  ];
}

function listed(values: readonly string[]): string {
  const more = values.length - VALUES_SHOWN;
  return values.slice(0, VALUES_SHOWN).join(', ') + (more > 0 ? `, … (${more} more)` : '');
}
