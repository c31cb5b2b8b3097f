/** Checks filters: which leads a campaign or a link accepts. */
import { checkFilters } from '../../fields/checkFilters.js';
import type { FilterGroup } from '../../fields/filters.js';
import type { FieldRule } from '../../fields/fieldRule.js';
import { invalidFields } from '../../lib/errors.js';
import { mergeFields } from '../plans/compilePlan.js';

/**
 * Filters in their normal form; null is none.
 * @param fields of the campaign's mapping; the system fields are added
 * @param key of the input that has the filters
 * @throws {AppError} `validation_failed` with every problem
 */
export function checkFilterInput(
  input: unknown,
  fields: readonly FieldRule[],
  key = 'filters',
): FilterGroup | null {
  const checked = checkFilters(input, mergeFields(fields), key);
  if (checked.ok) return checked.value;
  throw invalidFields(
    checked.problems.map((problem) => ({
      field: key,
      code: 'invalid_format',
      message: problem.endsWith('?') ? problem : `${problem}.`,
    })),
  );
}
