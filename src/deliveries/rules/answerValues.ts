/** The values in a buyer's answer in addition to its decision: its reason, its reference, its price. */
import { readMicros, type Micros } from '../../fields/money.js';
import type { ResponseRules } from '../../account/buyers/responseSchema.js';
import type { ReadableAnswer } from '../../account/rules/response.js';

const REASON_MAX = 200;
const REFERENCE_MAX = 200;
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu;
const DECIMAL = /^[0-9]{1,10}(?:\.[0-9]{1,4})?$/;

export interface AnswerValues {
  /** Printable, on one line, at most 200 characters. */
  reason?: string;
  reference?: string;
  price?: Micros;
  /** Values that were present and not usable: `reference_ignored`, `price_ignored`. */
  notes: string[];
}

/** Reads the values that the rules name; a value of another kind or size is left out and noted. */
export function answerValues(rules: ResponseRules, answer: ReadableAnswer): AnswerValues {
  const at = (path: string | undefined) => (path === undefined ? undefined : answer.at(path));
  const [reasonText, reference, price] = [
    textOf(at(rules.reason_path)),
    at(rules.reference_path),
    at(rules.price_path),
  ];
  const reason = reasonText === null ? '' : printable(reasonText);
  const referenceText = referenceOf(reference);
  const priceMicros = priceOf(price);
  return {
    ...(reason === '' ? {} : { reason }),
    ...(referenceText === null ? {} : { reference: referenceText }),
    ...(priceMicros === null ? {} : { price: priceMicros }),
    notes: [
      ...(reference !== undefined && referenceText === null ? ['reference_ignored'] : []),
      ...(price !== undefined && priceMicros === null ? ['price_ignored'] : []),
    ],
  };
}

/** A number too large to be one is none. */
const textOf = (value: unknown): string | null =>
  typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)
    ? String(value)
    : null;

/** Foreign text made safe for a trail or a log: one line, without control characters, bounded. */
export const printable = (text: string): string =>
  text
    .slice(0, 4 * REASON_MAX)
    .replace(UNPRINTABLE, ' ')
    .trim()
    .slice(0, REASON_MAX);

/** Never cut: a shortened reference would name another record. */
function referenceOf(value: unknown): string | null {
  const text = typeof value === 'boolean' ? null : textOf(value);
  if (text === null || text === '' || text.length > REFERENCE_MAX) return null;
  return text.search(UNPRINTABLE) === -1 ? text : null;
}

/** A number or decimal text, 0 or more, of at most four decimals; null for anything else. */
const priceOf = (value: unknown): Micros | null =>
  readMicros(typeof value === 'string' && DECIMAL.test(value) ? Number(value) : value);
