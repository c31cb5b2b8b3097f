/** The types of a field mapping: which JSON values each accepts, how it reads and compares them, its error sentence. */
import { lostDigits } from '../lib/longNumbers.js';
import type { Scalar } from './values.js';
import { visibleText } from '../lib/invisible.js';
import {
  normalizeDate,
  normalizeEmail,
  normalizePhone,
  normalizeState,
  normalizeZip,
} from './normalize.js';
import type { FieldType } from './fieldRule.js';

export interface FieldTypeRule {
  /** JSON types that can be such a value at all; any other is `invalid_type`. */
  takes: readonly ('string' | 'number' | 'boolean')[];
  /** The value as it is stored, or null when it has the wrong form. */
  read: (raw: Scalar) => Scalar | null;
  /** Completes the sentence "{field} must be …". */
  expected: string;
  /** Its values have one normal form: another spelling, as of a filter's value, would never be equal to it. */
  isNormal: boolean;
  /** What its values are compared as, in addition to text. */
  comparedAs: readonly Comparison[];
}

/** order: numbers or dates, less and greater; day: dates, some days ago; zip: zip codes, in a list or a radius. */
export type Comparison = 'order' | 'day' | 'zip';

const TRUE_WORDS: readonly string[] = ['true', 'yes', '1'];
const FALSE_WORDS: readonly string[] = ['false', 'no', '0'];

/** true and false, also written true/false, yes/no, 1/0 in any case; null for anything else. */
export function readBoolean(raw: Scalar): boolean | null {
  if (typeof raw === 'boolean') return raw;
  const word = visibleText(String(raw)).toLowerCase();
  if (TRUE_WORDS.includes(word)) return true;
  return FALSE_WORDS.includes(word) ? false : null;
}

const DECIMAL = /^[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]{1,4})?$/i;

/** A finite number, also written as decimal text; null for anything else. */
export function readNumber(raw: Scalar): number | null {
  if (typeof raw === 'boolean') return null;
  const value = typeof raw === 'number' ? raw : decimal(raw);
  // Adding 0 turns -0 into 0.
  return Number.isFinite(value) ? value + 0 : null;
}

/** As {@link readNumber}; null also for a whole number whose digits a double would change. */
export const readExactNumber = (raw: Scalar): number | null =>
  typeof raw === 'string' && lostDigits(raw) !== null ? null : readNumber(raw);

/** A number; a whole one whose digits a double would change as the text of its digits, as it is an id. */
function readNumberOrDigits(raw: Scalar): number | string | null {
  const value = readNumber(raw);
  return value === null || typeof raw !== 'string' ? value : (lostDigits(raw) ?? value);
}

function decimal(text: string): number {
  const written = text.length > 400 ? '' : visibleText(text);
  return DECIMAL.test(written) ? Number(written) : Number.NaN;
}

function readUrl(text: string): string | null {
  const url = visibleText(text);
  if (/\s/.test(url) || !URL.canParse(url)) return null;
  const { protocol } = new URL(url);
  return protocol === 'http:' || protocol === 'https:' ? url : null;
}

const text = (
  expected: string,
  read: (text: string) => string | null,
): Pick<FieldTypeRule, 'takes' | 'read' | 'expected'> => ({
  takes: ['string', 'number'],
  read: (raw) => read(String(raw)),
  expected,
});

const isWhole = (raw: Scalar): boolean =>
  typeof raw !== 'number' || (Number.isSafeInteger(raw) && raw >= 0);

/** Every type by its name in the field mapping (contract 2.3). */
export const FIELD_TYPES: Record<FieldType, FieldTypeRule> = {
  String: {
    takes: ['string', 'number', 'boolean'],
    read: String,
    expected: 'text',
    isNormal: false,
    comparedAs: ['order', 'day', 'zip'],
  },
  Number: {
    takes: ['string', 'number'],
    read: readNumberOrDigits,
    expected: 'a number',
    isNormal: true,
    comparedAs: ['order'],
  },
  Boolean: {
    takes: ['string', 'number', 'boolean'],
    read: readBoolean,
    expected: 'true or false',
    isNormal: true,
    comparedAs: [],
  },
  Phone: {
    ...text('10-15 digits', normalizePhone),
    // A decimal point or a minus sign is punctuation in a written phone, but no part of a number that is one.
    read: (raw) => (isWhole(raw) ? normalizePhone(String(raw)) : null),
    isNormal: true,
    comparedAs: [],
  },
  Email: {
    ...text('an email address such as name@example.com', normalizeEmail),
    isNormal: true,
    comparedAs: [],
  },
  Date: {
    ...text('a date, YYYY-MM-DD or MM/DD/YYYY', normalizeDate),
    isNormal: true,
    comparedAs: ['order', 'day'],
  },
  State: { ...text('a two-letter US state code', normalizeState), isNormal: true, comparedAs: [] },
  'Zip / Postal Code': {
    ...text('a five-digit zip code', normalizeZip),
    isNormal: true,
    comparedAs: ['order', 'zip'],
  },
  URL: {
    ...text('a web address that starts with http:// or https://', readUrl),
    isNormal: false,
    comparedAs: [],
  },
  'List of Allowed Values': {
    takes: ['string', 'number', 'boolean'],
    read: String,
    expected: 'one of the allowed values',
    isNormal: false,
    comparedAs: ['order', 'day'],
  },
};
