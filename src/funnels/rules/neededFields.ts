/** Which fields a funnel has to give its leads. */
import type { FieldRule } from '../../fields/fieldRule.js';
import { IDENTITY_FIELDS } from '../../fields/systemFields.js';
import type { Scalar } from '../../fields/values.js';
import { getOwn } from '../../lib/getOwn.js';
import { mappedNames } from './fullName.js';

/**
 * Whether a lead without the field would be refused. A default stands in for one that does not come, but in a ping it does
 * not.
 * @param isPingPost whether a ping comes before each lead
 */
export const isNeeded = (rule: FieldRule, isPingPost: boolean): boolean => {
  if (isPingPost && rule.ping_required) return true;
  return IDENTITY_FIELDS.includes(rule.name) || (rule.required && rule.default === undefined);
};

/** The campaign's side of a funnel's questions. */
export interface AskingCampaign {
  fields: readonly FieldRule[];
  isPingPost: boolean;
  /** Values that the funnel adds to each lead. */
  hidden: Readonly<Record<string, Scalar>>;
}

/** Whether a lead without an answer to the question would be refused. The page requires it, and so does the server. */
export const isAnswerNeeded = (
  name: string,
  { fields, isPingPost, hidden }: AskingCampaign,
): boolean => {
  const names = mappedNames(name, fields);
  return fields.some(
    (rule) =>
      names.includes(rule.name) &&
      getOwn(hidden, rule.name) === undefined &&
      isNeeded(rule, isPingPost),
  );
};
