/**
 * Reads the value of a rule by its operator and the type of its field: by hand, because both decide what is valid,
 * and so does the way the fields of leads are read. Zip codes have a schema of their own.
 */
import { withoutInvisible } from '../lib/invisible.js';
import { checkBy, type Checked } from '../lib/schema/sentences.js';
import { ZipList, ZipRadius } from './zipsSchema.js';
import {
  compilePattern,
  IGNORE_CASE,
  REPEATS_TOO_MUCH,
  repeatsTooMuch,
  TEXT_MAX,
} from './fieldReader.js';
import { isBlank, isCleanText } from './fields.js';
import { FIELD_TYPES, type Comparison } from './fieldTypes.js';
import { isIsoDate } from './filterOperators.js';
import type { FilterValue, Operator } from './filterRules.js';
import type { Scalar } from './values.js';
import { FIELD_TYPE_NAMES, type FieldRule } from './fieldRule.js';

/** What is known of a rule when its value is read; `days` was written inside the operator. */
interface ValueInput {
  operator: Operator;
  field: FieldRule;
  value: unknown;
  days?: number;
}

/** A hundred years. */
const DAYS_MAX = 36_525;
const LIST_MAX = 10_000;
const PATTERN_MAX = 500;
/** The spelling of the product's phone-number filters. */
const E164 = '^\\+[1-9][0-9]{1,14}$';

/** The value in its normal form, undefined for operators that take none, or what is wrong ("must be …"). */
export function checkFilterValue(input: ValueInput): Checked<FilterValue | undefined> {
  const { operator, field, value } = input;
  const unfit = unfitType(operator, field);
  if (unfit !== undefined) return failed(unfit);
  switch (operator) {
    case 'IS EMPTY':
    case 'IS NOT EMPTY':
      return value === undefined || value === ''
        ? { ok: true, value: undefined }
        : failed(`must be left out: ${operator} has no value`);
    case '==':
    case '!=':
      return checkEqual(value, field);
    case 'IN':
    case 'NOT IN':
      return checkList(value, field);
    case '>':
    case '<':
    case '>=':
    case '<=':
      return checkBound(value, field);
    case 'CONTAINS':
    case 'DOES NOT CONTAIN':
      return checkScalar(value);
    case 'MATCHES':
      return checkPattern(value);
    case '>= N days ago':
    case '<= N days ago':
      return checkDays(input);
    case 'IN LIST':
      return checkBy(ZipList, value, '');
    case 'WITHIN RADIUS':
      return checkBy(ZipRadius, value, '');
  }
}

const failed = (problem: string): { ok: false; problems: string[] } => ({
  ok: false,
  problems: [problem],
});

/** What operators compare values as; the others accept every type. */
const COMPARISONS: Partial<Record<Operator, Comparison>> = {
  '>': 'order',
  '<': 'order',
  '>=': 'order',
  '<=': 'order',
  '>= N days ago': 'day',
  '<= N days ago': 'day',
  'IN LIST': 'zip',
  'WITHIN RADIUS': 'zip',
};

function unfitType(operator: Operator, { name, type }: FieldRule): string | undefined {
  const comparison = COMPARISONS[operator];
  if (comparison === undefined || FIELD_TYPES[type].comparedAs.includes(comparison)) return;
  const types = FIELD_TYPE_NAMES.filter((one) => FIELD_TYPES[one].comparedAs.includes(comparison));
  return `cannot be compared: ${operator} is for fields of the types ${types.join(', ')}; ${name} is of the type ${type}`;
}

function checkScalar(value: unknown): Checked<Scalar> {
  if (value === undefined) return failed('is missing');
  if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))) {
    return { ok: true, value };
  }
  if (typeof value !== 'string') return failed('must be one text, number, true or false');
  if (isBlank(value)) return failed('must not be empty text; use IS EMPTY or IS NOT EMPTY');
  if (value.length > TEXT_MAX || !isCleanText(value)) {
    return failed(`must be clean text of at most ${TEXT_MAX} characters`);
  }
  return { ok: true, value: withoutInvisible(value) };
}

function checkEqual(value: unknown, field: FieldRule): Checked<Scalar> {
  if (Array.isArray(value)) return failed('must be one value; use IN or NOT IN for a list');
  const scalar = checkScalar(value);
  const { isNormal, read, expected } = FIELD_TYPES[field.type];
  if (!scalar.ok || !isNormal) return scalar;
  const normal = read(scalar.value);
  if (normal !== null) return { ok: true, value: normal };
  return failed(`${quoted(scalar.value)} must be ${expected}, as ${field.name} is`);
}

const quoted = (value: Scalar): string => `"${String(value).slice(0, 40)}"`;

/** One value is a list of one; each is kept once. */
function checkList(value: unknown, field: FieldRule): Checked<Scalar[]> {
  if (value === undefined) return failed('is missing; give a list');
  const items: unknown[] = Array.isArray(value) ? value : [value];
  if (items.length === 0) return failed('must list at least one value');
  if (items.length > LIST_MAX) {
    return failed(`must list at most ${LIST_MAX} values; use IN LIST for zip codes`);
  }
  const values = new Set<Scalar>();
  for (const item of items) {
    const checked = checkEqual(item ?? undefined, field);
    if (!checked.ok) return checked;
    values.add(checked.value);
  }
  return { ok: true, value: [...values] };
}

function checkBound(value: unknown, field: FieldRule): Checked<Scalar> {
  const scalar = checkEqual(value, field);
  if (!scalar.ok || FIELD_TYPES[field.type].isNormal) return scalar;
  const isBound = FIELD_TYPES.Number.read(scalar.value) !== null || isIsoDate(scalar.value);
  return isBound ? scalar : failed('must be a number or a date such as 2026-01-31');
}

function checkPattern(value: unknown): Checked<string> {
  if (typeof value !== 'string' || value === '') return failed('must be a pattern, as text');
  if (value.trim().toUpperCase() === 'E.164') return { ok: true, value: E164 };
  if (value.length > PATTERN_MAX) {
    return failed(`must be a pattern of at most ${PATTERN_MAX} characters`);
  }
  const compiled = compilePattern(value, IGNORE_CASE);
  if (typeof compiled === 'string') return failed(`is not a valid pattern: ${compiled}`);
  if (repeatsTooMuch(compiled)) {
    return failed(`is a pattern that ${REPEATS_TOO_MUCH}`);
  }
  return { ok: true, value };
}

function checkDays({ value, days }: ValueInput): Checked<number> {
  const given = value ?? days;
  const count = typeof given === 'string' && /^[0-9]{1,9}$/.test(given) ? Number(given) : given;
  if (typeof count !== 'number' || !Number.isInteger(count) || count < 0 || count > DAYS_MAX) {
    return failed(`must be a whole number of days, 0 to ${DAYS_MAX}`);
  }
  if (days !== undefined && days !== count) {
    return failed(`says ${count} days, but the operator says ${days}; give the number once`);
  }
  return { ok: true, value: count };
}
