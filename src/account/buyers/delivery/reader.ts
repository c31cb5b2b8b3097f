/** Reads settings that a person gave, over those there are, and collects every problem by its field. */
import { AppError } from '../../../lib/errors.js';
import type { FieldError, FieldErrorCode } from '../../../lib/errors.js';
import { getOwn } from '../../../lib/getOwn.js';

/** Each reading gives a value of the right kind; where the given one is wrong, a problem is noted beside it. */
export interface SettingReader {
  /** What was given, else what there is; null counts as not given, and takes the setting back. */
  given(key: string): unknown;
  /** What there is, whatever was given; absent where there is nothing. */
  before(key: string): unknown;
  problem(key: string, code: FieldErrorCode, message: string): void;
  text(key: string, limit: number): string | null;
  integer(key: string, fallback: number, min: number, max: number): number;
  flag(key: string, fallback: boolean): boolean;
  choice<T extends string>(key: string, fallback: T, choices: readonly T[]): T;
  texts(key: string, most: number): string[] | null;
  /** @throws {AppError} `validation_failed` with every problem that was noted */
  finish(): void;
}

/**
 * @param prefix stands before each field's name in a problem
 * @param current settings of before, of the same kind; they hold where nothing is given
 */
export function createSettingReader(
  prefix: string,
  input: object,
  current: object | undefined,
): SettingReader {
  const problems: FieldError[] = [];
  const given = (key: string): unknown => {
    const value = ownValue(input, key);
    return (value === undefined && current ? ownValue(current, key) : value) ?? undefined;
  };
  const problem: SettingReader['problem'] = (key, code, message) => {
    const field = `${prefix}.${key}`;
    const joined = message.startsWith(':') ? `${field}${message}` : `${field} ${message}`;
    problems.push({ field, code, message: joined });
  };

  return {
    given,
    before: (key) => (current ? (ownValue(current, key) ?? undefined) : undefined),
    problem,
    text(key, limit) {
      const value = given(key);
      if (value === undefined || value === '') return null;
      if (typeof value !== 'string') problem(key, 'invalid_type', 'must be text.');
      else if (value.length <= limit) return value;
      else problem(key, 'too_long', `must have at most ${limit} characters.`);
      return null;
    },
    integer(key, fallback, min, max) {
      const value = given(key) ?? fallback;
      if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) {
        return value;
      }
      problem(key, 'out_of_range', `must be a whole number, ${min} to ${max}.`);
      return fallback;
    },
    flag(key, fallback) {
      const value = given(key) ?? fallback;
      if (typeof value === 'boolean') return value;
      problem(key, 'invalid_type', 'must be true or false.');
      return fallback;
    },
    choice(key, fallback, choices) {
      const value = given(key) ?? fallback;
      const found = choices.find((choice) => choice === value);
      if (found !== undefined) return found;
      problem(key, 'not_allowed', `must be ${choices.join(' or ')}.`);
      return fallback;
    },
    texts(key, most) {
      const value = given(key);
      if (value === undefined) return null;
      const list: unknown[] = Array.isArray(value) ? value : [value];
      const isText = (item: unknown): item is string => typeof item === 'string';
      if (!list.every(isText)) problem(key, 'invalid_type', 'must be a list of texts.');
      else if (list.length <= most) return list.map((item) => item.trim());
      else problem(key, 'too_long', `must have at most ${most} entries.`);
      return null;
    },
    finish() {
      if (problems.length === 0) return;
      const message = problems.map((one) => one.message).join(' ');
      throw new AppError('validation_failed', message, { field_errors: problems });
    },
  };
}

const ownValue = (from: object, key: string): unknown =>
  getOwn(from as Record<string, unknown>, key);
