/** Which fields a funnel has to give its leads. */
import type { FieldRule } from '../../fields/fieldRule.js';
import { IDENTITY_FIELDS } from '../../fields/systemFields.js';

/**
 * Whether a lead without the field would be refused. A default stands in for one that does not come, but in a ping it does
 * not.
 * @param isPingPost whether a ping comes before each lead
 */
export const isNeeded = (rule: FieldRule, isPingPost: boolean): boolean => {
  if (isPingPost && rule.ping_required) return true;
  const isRequired = rule.required || IDENTITY_FIELDS.includes(rule.name);
  return isRequired && rule.default === undefined;
};
