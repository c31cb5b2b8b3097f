/** Checks of values that a person types when setting up an account. */
import type { z } from 'zod';
import { AppError, invalidFields, type FieldError, type FieldErrorCode } from '../lib/errors.js';
import { isBlank } from '../fields/fields.js';
import type { Micros } from '../fields/money.js';
import { problemsOf, refuseProblems } from '../lib/schema/zodIssues.js';
import { isDuplicateKey } from '../platform/mongo/databaseErrors.js';
import { MoneyInMicros } from './moneySchema.js';

const NAME_MAX = 120;

/** A refusal that names the field, the rule and what would be valid. */
export const invalidValue = (field: string, code: FieldErrorCode, message: string): AppError =>
  new AppError('validation_failed', message, { field_errors: [{ field, code, message }] });

/**
 * The name without outer blanks.
 * @throws {AppError} `validation_failed` when it is empty or longer than 120 characters
 */
export function checkName(name: string): string {
  const trimmed = name.trim();
  if (isBlank(trimmed)) throw invalidValue('name', 'required', 'name must not be empty.');
  if (trimmed.length > NAME_MAX) {
    throw invalidValue('name', 'too_long', `name must have at most ${NAME_MAX} characters.`);
  }
  return trimmed;
}

/**
 * The value in its normal form.
 * @throws {AppError} `validation_failed` on `field` with every problem
 */
export function checkValue<T>(field: string, schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value, { reportInput: true });
  if (parsed.success) return parsed.data;
  refuseProblems(field, problemsOf(parsed.error));
  throw parsed.error;
}

/**
 * Runs every check, so that a person learns all faults at once.
 * @throws {AppError} `validation_failed` with the faults of all checks that refuse
 */
export function checkEach<T extends object>(checks: { [K in keyof T]: () => T[K] }): T {
  const values: Partial<T> = {};
  const faults: FieldError[] = [];
  for (const key of Object.keys(checks) as (keyof T)[]) {
    try {
      values[key] = checks[key]();
    } catch (error) {
      const found = error instanceof AppError ? error.extras.field_errors : undefined;
      if (!found) throw error;
      faults.push(...found);
    }
  }
  if (faults.length > 0) throw invalidFields(faults);
  return values as T;
}

/**
 * Runs the check of one record of several.
 * @param at where it is in the input, such as `buyers.3`
 * @throws {AppError} `validation_failed` with its faults, each at its place, such as `buyers.3.price`
 */
export function checkAt<T>(at: string, check: () => T): T {
  try {
    return check();
  } catch (error) {
    const found = error instanceof AppError ? error.extras.field_errors : undefined;
    if (!found) throw error;
    throw invalidFields(
      found.map(({ field, message, code }) => {
        const place = `${at}.${field}`;
        return { field: place, code, message: message.replace(field, place) };
      }),
    );
  }
}

/**
 * Money as a person writes it (currency, at most 4 decimals) in micro-units.
 * @throws {AppError} `validation_failed` when it is negative or finer than 4 decimals
 */
export const checkMoney = (field: string, amount: number): Micros =>
  checkValue(field, MoneyInMicros, amount);

/**
 * Runs a write that a unique index on (organization, name) may refuse.
 * @throws {AppError} `validation_failed` on `name` when another record of the kind has the name
 */
export async function refuseTakenName<T>(
  kind: string,
  name: string,
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    throw invalidValue('name', 'not_allowed', `Another ${kind} is already named "${name}".`);
  }
}
