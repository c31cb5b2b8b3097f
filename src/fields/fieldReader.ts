/** One entry of a field mapping made into a function that reads one value. */
import { RE2JS } from 're2js';
import type { FieldErrorCode } from '../lib/errors.js';
import { visibleText, withoutInvisible } from '../lib/invisible.js';
import { isBlank, isCleanText } from './fields.js';
import { FIELD_TYPES } from './fieldTypes.js';
import type { Scalar } from './values.js';
import type { FieldRule, Transform } from './fieldRule.js';
import { normalizeDate, normalizePhone, normalizeZip } from './normalize.js';
import { readPhone } from './phone.js';

/** Longest text of a field without `max_length`, in UTF-16 units. */
export const TEXT_MAX = 1_000;

export type Reading =
  /** `extension`: of a phone; it is no part of the value. */
  | { kind: 'value'; value: Scalar; extension?: string }
  | { kind: 'absent' }
  | { kind: 'error'; code: FieldErrorCode; message: string };

/** Reads one raw value by one rule; absent stays absent, the mapping applies default and `required`. */
export type FieldReader = (raw: unknown) => Reading;

/** What some rules need from outside the domain. */
export interface FieldTools {
  /** Whether an E.164 number fits the numbering plan of its country; needed by fields that are `strict`. */
  isValidPhone?: (e164: string) => boolean;
}

const ABSENT: Reading = { kind: 'absent' };
const failed = (code: FieldErrorCode, message: string): Reading => ({
  kind: 'error',
  code,
  message,
});

export interface ScalarLimits {
  /** Named in the message. */
  limit: number;
  /** Text over it is not checked further; absent: `limit`. */
  hardLimit?: number;
  /** Completes the sentence "{subject} must be …". */
  expected?: string;
}

/**
 * Sorts out absent values, those that are not scalars and text that cannot be kept, for any field, and drops the
 * invisible characters of a text: what looks alike is one value.
 */
export function readScalar(
  raw: unknown,
  subject: string,
  { limit, hardLimit = limit, expected = 'text, a number, true or false' }: ScalarLimits,
): Reading {
  if (raw === null || raw === undefined) return ABSENT;
  if (typeof raw === 'boolean') return { kind: 'value', value: raw };
  if (typeof raw === 'number') {
    if (Number.isFinite(raw)) return { kind: 'value', value: raw };
    return failed('out_of_range', `${subject} must be a number that can be represented`);
  }
  if (typeof raw !== 'string') {
    return failed('invalid_type', `${subject} must be ${expected}`);
  }
  if (isBlank(raw)) return ABSENT;
  const text = withoutInvisible(raw);
  if (text.length > hardLimit) {
    return failed('too_long', `${subject} must be at most ${limit} characters`);
  }
  if (!isCleanText(text)) {
    return failed('invalid_format', `${subject} must be text without NUL or broken characters`);
  }
  return { kind: 'value', value: text };
}

/**
 * Compiles one rule. The order: transforms, type, strictness, length, allowed values, bounds, pattern (found
 * anywhere in the value unless it is anchored).
 * @throws {Error} when the pattern does not compile (`checkFieldRules` reports that first), or a tool that the
 * rule needs is not given
 */
export function compileField(rule: FieldRule, tools: FieldTools = {}): FieldReader {
  const subject = rule.label ?? rule.name;
  const limit = rule.max_length ?? TEXT_MAX;
  const checks = [
    strictCheck(rule, tools),
    lengthCheck(limit),
    allowedCheck(rule),
    boundsCheck(rule),
    patternCheck(rule),
  ];
  const type = FIELD_TYPES[rule.type];
  const isPhone = rule.type === 'Phone' || rule.transforms?.includes('phone_e164') === true;
  const limits = {
    limit,
    hardLimit: Math.max(limit, TEXT_MAX),
    // Types of text take every scalar.
    expected: type.read === String ? undefined : type.expected,
  };
  return (raw) => {
    const scalar = readScalar(raw, subject, limits);
    if (scalar.kind !== 'value') return scalar;
    const given = transformed(scalar.value, rule);
    if (typeof given === 'string' && isBlank(given)) return ABSENT;
    if (!type.takes.some((kind) => kind === typeof given)) {
      return failed('invalid_type', `${subject} must be ${type.expected}`);
    }
    let value = type.read(given);
    if (value === null) return failed('invalid_format', `${subject} must be ${type.expected}`);
    for (const check of checks) {
      const result = check(value);
      if (result.code !== undefined) return failed(result.code, `${subject} ${result.problem}`);
      value = result.value;
    }
    // Of the text as it came: the transforms have made a number of it.
    const extension = isPhone ? readPhone(String(scalar.value))?.extension : undefined;
    return { kind: 'value', value, extension };
  };
}

/** Numbers are transformed too where the field holds text, so that 5551234567 and "5551234567" end alike. */
function transformed(value: Scalar, rule: FieldRule): Scalar {
  if (!rule.transforms || rule.transforms.length === 0) return value;
  if (typeof value === 'string') {
    // Or `digits` would make the extension, or a spreadsheet's decimals, a part of the number.
    const phone = rule.type === 'Phone' ? normalizePhone(value) : null;
    return transformText(phone ?? value, rule.transforms);
  }
  if (typeof value === 'boolean' || rule.type === 'Number' || rule.type === 'Boolean') return value;
  return transformText(String(value), rule.transforms);
}

type Check = (
  value: Scalar,
) => { value: Scalar; code?: undefined } | { code: FieldErrorCode; problem: string };

function strictCheck({ name, strict }: FieldRule, { isValidPhone }: FieldTools): Check {
  if (!strict) return (value) => ({ value });
  if (!isValidPhone) throw new Error(`${name} is strict, and phone numbers cannot be checked`);
  return (value) =>
    isValidPhone(String(value))
      ? { value }
      : { code: 'invalid_format', problem: 'must be a phone number that exists in its country' };
}

function lengthCheck(limit: number): Check {
  return (value) =>
    typeof value === 'string' && value.length > limit
      ? { code: 'too_long', problem: `must be at most ${limit} characters` }
      : { value };
}

const fold = (value: Scalar): string => visibleText(String(value)).toLowerCase();

/** Matches without case. The result is the allowed value as its type reads it: normalized, else as the mapping spells it. */
function allowedCheck(rule: FieldRule): Check {
  const { allowed_values: allowed } = rule;
  if (!allowed) return (value) => ({ value });
  const { read } = FIELD_TYPES[rule.type];
  const values = allowed.map((item) => read(item) ?? item);
  const byText = new Map(values.map((item) => [fold(item), item]));
  const shown = allowed.slice(0, 20).join(', ') + (allowed.length > 20 ? ', …' : '');
  return (value) => {
    const item = byText.get(fold(value));
    if (item === undefined) return { code: 'not_allowed', problem: `must be one of: ${shown}` };
    return { value: item };
  };
}

function boundsCheck({ type, min = -Infinity, max = Infinity }: FieldRule): Check {
  const problem = [
    ...(min > -Infinity ? [`at least ${min}`] : []),
    ...(max < Infinity ? [`at most ${max}`] : []),
  ].join(' and ');
  // A number of many digits is text.
  return (value) =>
    type === 'Number' && (Number(value) < min || Number(value) > max)
      ? { code: 'out_of_range', problem: `must be ${problem}` }
      : { value };
}

function patternCheck({ name, pattern }: FieldRule): Check {
  if (pattern === undefined) return (value) => ({ value });
  const compiled = compilePattern(pattern);
  if (typeof compiled === 'string')
    throw new Error(`The pattern of ${name} is not valid: ${compiled}`);
  return (value) =>
    compiled.test(String(value))
      ? { value }
      : { code: 'invalid_format', problem: `must match the pattern ${pattern}` };
}

/** The flag of `compilePattern` that makes letters match without case. */
export const IGNORE_CASE = RE2JS.CASE_INSENSITIVE;

/** The pattern on a linear-time engine, or what is wrong with it. Look-around and back references are not offered. */
export function compilePattern(pattern: string, flags = 0): RE2JS | string {
  try {
    return RE2JS.compile(pattern, flags);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Steps of a compiled pattern: `{n,m}` multiplies them, and repeats of repeats make one value cost a second. */
const PATTERN_STEPS_MAX = 1_000;
export const REPEATS_TOO_MUCH = 'repeats too much; use smaller numbers in { }';

/** Checked where a pattern is set: the time for one value grows with its steps, linear-time engine or not. */
export const repeatsTooMuch = (pattern: RE2JS): boolean =>
  pattern.programSize() > PATTERN_STEPS_MAX;

// What a field mapping may do to a text before it is checked.

/** The first letter of a word, and the letter after a one-letter prefix as in O'Brien. */
const WORD_START = /(?<![\p{L}\p{M}\p{N}'’])\p{L}|(?<=(?<![\p{L}\p{M}\p{N}'’])\p{L}['’])\p{L}/gu;

/** Text that a normalizer cannot read is left as it is, for the check of the field to judge. */
const TRANSFORMS: Record<Transform, (text: string) => string> = {
  trim: (text) => text.trim(),
  lowercase: (text) => text.toLowerCase(),
  uppercase: (text) => text.toUpperCase(),
  titlecase: (text) => text.toLowerCase().replace(WORD_START, (letter) => letter.toUpperCase()),
  phone_e164: (text) => normalizePhone(text) ?? text,
  date_iso: (text) => normalizeDate(text) ?? text,
  zip5: (text) => normalizeZip(text) ?? text,
  digits: (text) => text.replace(/[^0-9]/g, ''),
};

/** Applies the transforms in the order in which the mapping lists them. */
export const transformText = (text: string, transforms: readonly Transform[]): string =>
  transforms.reduce((current, name) => TRANSFORMS[name](current), text);
