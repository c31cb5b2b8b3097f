/** Checks of filters, schedules and areas: which leads a campaign or a link accepts, and when. */
import { checkFilters } from '../../fields/checkFilters.js';
import type { FilterGroup } from '../../fields/filters.js';
import type { FieldRule } from '../../fields/fieldRule.js';
import { invalidFields } from '../../lib/errors.js';
import type { Checked } from '../../lib/schema/sentences.js';
import { mergeFields } from '../plans/compilePlan.js';

/**
 * Filters in their normal form; null is none.
 * @param fields of the campaign's mapping; the system fields are added
 * @param key of the input that has the filters
 * @throws {AppError} `validation_failed` with every problem
 */
export const checkFilterInput = (
  input: unknown,
  fields: readonly FieldRule[],
  key = 'filters',
): FilterGroup | null => required(key, checkFilters(input, mergeFields(fields), key));

function required<T>(field: string, checked: Checked<T>): T {
  if (checked.ok) return checked.value;
  const field_errors = checked.problems.map((problem) => ({
    field,
    code: 'invalid_format' as const,
    message: problem.endsWith('?') ? problem : `${problem}.`,
  }));
  throw invalidFields(field_errors);
}
