/** Checks of filters, schedules and areas: which leads a campaign or a link takes, and when. */
import { checkFilters } from '../../fields/checkFilters.js';
import { checkSchedule } from '../../fields/checkSchedule.js';
import type { Checked } from '../../fields/checkSchedule.js';
import { checkZipArea } from '../../fields/checkZips.js';
import type { FilterGroup } from '../../fields/filters.js';
import type { FieldRule } from '../../fields/fieldRule.js';
import type { Schedule } from '../../fields/schedule.js';
import type { ZipArea } from '../../fields/zips.js';
import { AppError } from '../../lib/errors.js';
import { mergeFields } from '../plans/compilePlan.js';

/**
 * Filters in their normal form; null is none.
 * @param fields the campaign's own fields; the system fields are added
 * @throws {AppError} `validation_failed` with every problem
 */
export const checkFilterInput = (
  input: unknown,
  fields: readonly FieldRule[],
): FilterGroup | null => required('filters', checkFilters(input, mergeFields(fields)));

/**
 * A schedule in its normal form; null is always.
 * @throws {AppError} `validation_failed` with every problem
 */
export const checkScheduleInput = (input: unknown): Schedule | null =>
  input === null ? null : required('schedule', checkSchedule(input, 'schedule'));

/**
 * Zip codes or a radius in their normal form; null is everywhere.
 * @throws {AppError} `validation_failed` with every problem
 */
export function checkZipsInput(input: unknown): ZipArea | null {
  const checked = checkZipArea(input);
  if (checked.ok) return checked.value;
  return required('zips', {
    ok: false,
    problems: checked.problems.map((problem) => `zips ${problem}`),
  });
}

function required<T>(field: string, checked: Checked<T>): T {
  if (checked.ok) return checked.value;
  const field_errors = checked.problems.map((problem) => ({
    field,
    code: 'invalid_format' as const,
    message: problem.endsWith('?') ? problem : `${problem}.`,
  }));
  const message = field_errors.map((error) => error.message).join(' ');
  throw new AppError('validation_failed', message, { field_errors });
}
