/** Checks of filters, schedules and areas: which leads a campaign or a link accepts, and when. */
import { checkFilters } from '../../fields/checkFilters.js';
import type { FilterGroup } from '../../fields/filters.js';
import { Schedule } from '../../fields/scheduleSchema.js';
import type { FieldRule } from '../../fields/fieldRule.js';
import { invalidFields } from '../../lib/errors.js';
import { checkBy, type Checked } from '../../lib/schema/sentences.js';
import { mergeFields } from '../plans/compilePlan.js';

/**
 * Filters in their normal form; null is none.
 * @param fields the campaign's own fields; the system fields are added
 * @param key of the input that has the filters
 * @throws {AppError} `validation_failed` with every problem
 */
export const checkFilterInput = (
  input: unknown,
  fields: readonly FieldRule[],
  key = 'filters',
): FilterGroup | null => required(key, checkFilters(input, mergeFields(fields), key));

/**
 * A schedule in its normal form; null is always.
 * @throws {AppError} `validation_failed` with every problem
 */
export const checkScheduleInput = (input: unknown): Schedule | null =>
  input === null ? null : required('schedule', checkBy(Schedule, input, 'schedule'));

function required<T>(field: string, checked: Checked<T>): T {
  if (checked.ok) return checked.value;
  const field_errors = checked.problems.map((problem) => ({
    field,
    code: 'invalid_format' as const,
    message: problem.endsWith('?') ? problem : `${problem}.`,
  }));
  throw invalidFields(field_errors);
}
