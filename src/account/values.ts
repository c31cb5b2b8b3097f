/** Checks of values that a person types when setting up an account. */
import { AppError } from '../lib/errors.js';
import type { FieldErrorCode } from '../lib/errors.js';
import type { CapLimits } from './rules/capLimits.js';
import type { Micros } from '../fields/money.js';
import { toMicros } from '../fields/money.js';
import { isDuplicateKey } from '../platform/mongo/databaseErrors.js';

const NAME_MAX = 120;

/** A refusal that names the field, the rule and what would be right. */
export const invalidValue = (field: string, code: FieldErrorCode, message: string): AppError =>
  new AppError('validation_failed', message, { field_errors: [{ field, code, message }] });

/**
 * The name without outer blanks.
 * @throws {AppError} `validation_failed` when it is empty or longer than 120 characters
 */
export function checkName(name: string): string {
  const trimmed = name.trim();
  if (trimmed === '') throw invalidValue('name', 'required', 'name must not be empty.');
  if (trimmed.length > NAME_MAX) {
    throw invalidValue('name', 'too_long', `name must have at most ${NAME_MAX} characters.`);
  }
  return trimmed;
}

/**
 * Money as a person writes it (currency, at most 4 decimals) in micro-units.
 * @throws {AppError} `validation_failed` when it is negative or finer than 4 decimals
 */
export function checkMoney(field: string, amount: number): Micros {
  const rule = `${field} must be 0 or more with at most 4 decimals, such as 12.5`;
  try {
    const micros = toMicros(amount);
    if (micros >= 0) return micros;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw invalidValue(field, 'out_of_range', `${rule}. ${error.message}.`);
  }
  throw invalidValue(field, 'out_of_range', `${rule}; ${amount} is negative.`);
}

/** @throws {AppError} `validation_failed` when it is no whole number from `min` to `max` */
export function checkInteger(field: string, value: number, min: number, max: number): number {
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw invalidValue(field, 'out_of_range', `${field} must be a whole number, ${min} to ${max}.`);
}

const WEIGHT_MAX = 1_000_000;

/** @throws {AppError} `validation_failed` when it is not 0 to 1,000,000 with at most 4 decimals */
export function checkWeight(weight: number): number {
  if (weight >= 0 && weight <= WEIGHT_MAX && Math.round(weight * 1e4) / 1e4 === weight)
    return weight;
  throw invalidValue(
    'weight',
    'out_of_range',
    `weight must be a number from 0 to ${WEIGHT_MAX} with at most 4 decimals.`,
  );
}

/** What a cap or a budget is counted over. */
const CAP_WINDOWS = ['daily', 'weekly', 'monthly', 'total'] as const;
const CAP_MAX = 1_000_000_000;

/** Limits as a person writes them: counts, and budgets in currency. Null or absent is no limit. */
export type CapInput = CapLimits;

/** @throws {AppError} `validation_failed` naming the first cap or budget that is not valid */
export function checkCaps(input: CapInput): CapLimits {
  const caps: CapLimits = {};
  for (const window of CAP_WINDOWS) {
    const count = input[`${window}_cap`];
    const budget = input[`${window}_budget`];
    if (count != null) caps[`${window}_cap`] = checkInteger(`${window}_cap`, count, 0, CAP_MAX);
    if (budget != null) caps[`${window}_budget`] = checkMoney(`${window}_budget`, budget);
  }
  return caps;
}

/**
 * Most pings a day; null or absent as it is.
 * @throws {AppError} `validation_failed` when it is no whole number from 0 to 1,000,000,000
 */
export const checkPingCap = (cap: number | null | undefined): number | null | undefined =>
  cap == null ? cap : checkInteger('daily_ping_cap', cap, 0, CAP_MAX);

/**
 * Two-letter codes in upper case, each once.
 * @throws {AppError} `validation_failed` for anything that is not two letters
 */
export function checkStates(states: readonly string[]): string[] {
  const codes = states.map((state) => state.trim().toUpperCase());
  const wrong = codes.find((code) => !/^[A-Z]{2}$/.test(code));
  if (wrong !== undefined) {
    throw invalidValue(
      'states',
      'invalid_format',
      `states must hold two-letter codes such as "CA"; "${wrong}" is none.`,
    );
  }
  return [...new Set(codes)];
}

/**
 * Runs a write that a unique index on (organisation, name) may refuse.
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
    throw invalidValue('name', 'not_allowed', `Another ${kind} is named "${name}" already.`);
  }
}
