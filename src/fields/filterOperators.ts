/** The operators: each makes a test of a present value out of a rule (contract 2.7). */
import { DateTime } from 'luxon';
import { compilePattern, IGNORE_CASE } from './fieldReader.js';
import { longDigits } from '../lib/longNumbers.js';
import { readBoolean, readExactNumber, readNumber } from './fieldTypes.js';
import type { FilterContext, FilterRule, FilterValue, Operator } from './filterRules.js';
import { isScalar, type Scalar } from './values.js';
import { visibleText, withoutInvisible } from '../lib/invisible.js';
import { normalizeDate } from './normalize.js';
import { dayAfter } from './days.js';
import { storedForms } from './storedForms.js';
import { windowKeys } from './windowKeys.js';
import { isWithin } from './zips.js';

/** Whether the rule holds for a value that the lead has. */
type Test = (actual: Scalar, context: FilterContext) => boolean;

/** An absent field is true only for these (contract 2.7). */
export const ABSENT_HOLDS: ReadonlySet<Operator> = new Set<Operator>([
  '!=',
  'NOT IN',
  'DOES NOT CONTAIN',
  'IS EMPTY',
]);

const TESTS: Record<Operator, (value: FilterValue | undefined) => Test> = {
  '==': isOneOf,
  '!=': not(isOneOf),
  IN: isOneOf,
  'NOT IN': not(isOneOf),
  '>': ordered((order) => order > 0),
  '<': ordered((order) => order < 0),
  '>=': ordered((order) => order >= 0),
  '<=': ordered((order) => order <= 0),
  CONTAINS: contains,
  'DOES NOT CONTAIN': not(contains),
  'IS EMPTY': () => () => false,
  'IS NOT EMPTY': () => () => true,
  MATCHES: matches,
  '>= N days ago': daysAgo((day, limit) => day >= limit),
  '<= N days ago': daysAgo((day, limit) => day <= limit),
  'IN LIST': inArea,
  'WITHIN RADIUS': inArea,
};

/** Plans stay in memory, so each rule is compiled once. */
const COMPILED = new WeakMap<FilterRule, Test>();

/** The rule as a function of a present value. */
export function testOf(rule: FilterRule): Test {
  const kept = COMPILED.get(rule);
  if (kept) return kept;
  const test = TESTS[rule.operator](rule.value);
  COMPILED.set(rule, test);
  return test;
}

/** The calendar day `days` before today, in the account's time zone, as YYYY-MM-DD. */
export const dayBefore = (days: number, { now, timeZone }: FilterContext): string =>
  dayAfter(windowKeys(now, timeZone).day, -days);

/** Whether text is written as a day, or as an instant, of ISO 8601. */
export const isIsoDate = (value: Scalar): boolean => readDay(value, 'UTC') !== null;

function not(operator: (value: FilterValue | undefined) => Test) {
  return (value: FilterValue | undefined): Test => {
    const test = operator(value);
    return (actual, context) => !test(actual, context);
  };
}

function scalarsOf(value: FilterValue | undefined): Scalar[] {
  if (Array.isArray(value)) return value;
  return isScalar(value) ? [value] : [];
}

/** Rules and leads that are stored may have invisible characters, which new values have not. */
const fold = (text: string): string => visibleText(text).toLowerCase();

/**
 * Next to a boolean or a number the other side is read as one; two texts compare without case and outer
 * space (never as numbers, or long ids would lose their last digits).
 */
function isOneOf(value: FilterValue | undefined): Test {
  const listed = scalarsOf(value);
  const booleans = new Set(listed.filter((item) => typeof item === 'boolean'));
  const numbers = new Set(listed.filter((item) => typeof item === 'number'));
  // A rule that an earlier release stored may have a person in the form of that time.
  const texts = new Set(
    listed.filter((item) => typeof item === 'string').flatMap((item) => storedForms(fold(item))),
  );
  const asBooleans = new Set(listed.map(readBoolean));
  const asNumbers = new Set(listed.map(readExactNumber));
  return (actual) => {
    if (typeof actual === 'boolean') return asBooleans.has(actual);
    const boolean = readBoolean(actual);
    if (boolean !== null && booleans.has(boolean)) return true;
    const number = readExactNumber(actual);
    if (typeof actual === 'number') return number !== null && asNumbers.has(number);
    return (number !== null && numbers.has(number)) || texts.has(fold(actual));
  };
}

/** Numbers compare as numbers, days as days; anything else is never in order. */
function ordered(accepts: (order: number) => boolean) {
  return (value: FilterValue | undefined): Test => {
    const [limit] = scalarsOf(value);
    if (limit === undefined) return () => false;
    const number = readNumber(limit);
    return (actual, { timeZone }) => {
      const value = readNumber(actual);
      if (value !== null && number !== null)
        return accepts(value - number || orderOfDigits(actual, limit));
      const [day, last] = [readDay(actual, timeZone), readDay(limit, timeZone)];
      return day !== null && last !== null && accepts(day < last ? -1 : day > last ? 1 : 0);
    };
  };
}

/** The order of two numbers of many digits that are the same double; 0 for all others. */
function orderOfDigits(a: Scalar, b: Scalar): number {
  const [left, right] = [longDigits(String(a)), longDigits(String(b))];
  if (left === null || right === null || left === right) return 0;
  return BigInt(left) < BigInt(right) ? -1 : 1;
}

const ISO_DAY = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/;
const ISO_INSTANT = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.,]+(?:Z|[+-][0-9:]+)?$/i;

/** The calendar day of an ISO date; that of an instant with an offset is the account's. */
function readDay(value: Scalar, timeZone: string): string | null {
  if (typeof value !== 'string' || value.length > 64) return null;
  const text = value.trim();
  if (ISO_DAY.test(text)) return normalizeDate(text);
  if (!ISO_INSTANT.test(text)) return null;
  return DateTime.fromISO(text, { zone: timeZone }).toISODate();
}

function contains(value: FilterValue | undefined): Test {
  const parts = scalarsOf(value).map((part) => withoutInvisible(String(part)).toLowerCase());
  return (actual) => {
    const text = withoutInvisible(String(actual)).toLowerCase();
    return parts.some((part) => text.includes(part));
  };
}

/** Found anywhere in the text unless the pattern is anchored, without case, in linear time. */
function matches(value: FilterValue | undefined): Test {
  const compiled = compilePattern(String(scalarsOf(value)[0] ?? ''), IGNORE_CASE);
  if (typeof compiled === 'string') return () => false;
  return (actual) => compiled.test(String(actual));
}

function daysAgo(accepts: (day: string, limit: string) => boolean) {
  return (value: FilterValue | undefined): Test =>
    (actual, context) => {
      const day = readDay(actual, context.timeZone);
      return day !== null && typeof value === 'number' && accepts(day, dayBefore(value, context));
    };
}

function inArea(value: FilterValue | undefined): Test {
  if (value === undefined || isScalar(value)) return () => false;
  const area = Array.isArray(value) ? value.map(String) : value;
  return (actual) => isWithin(String(actual), area) === 'inside';
}
