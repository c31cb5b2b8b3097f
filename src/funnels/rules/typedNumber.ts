/** Numbers as people type them into a form: pages and server read them by this file alone. */
import type { FieldRule } from '../../fields/fieldRule.js';

/** What separates the whole from its fraction in the language of the page. */
export type DecimalSeparator = '.' | ',';

/** More characters than any number that the service keeps needs. */
const TEXT_MAX = 400;

const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;
/** Zeros of digits that people type: Arabic, Persian, full-width. The others of each follow it. */
const ZEROS = [0x660, 0x6f0, 0xff10];
const OTHER_DIGIT = /[\u0660-\u0669\u06f0-\u06f9\uff10-\uff19]/g;
/** Full-width punctuation and letters lie at this distance from those of ASCII. */
const FULL_WIDTH = /[\uff01-\uff5e]/g;
const FULL_WIDTH_OFFSET = 0xfee0;

const CURRENCY =
  '(?:(?:us|ca|mx|au|c|a)?\\p{Sc}|usd|cad|mxn|aud|eur|gbp|dollars?|d[oó]lar(?:es)?|pesos?|euros?)';
const WRITTEN = new RegExp(
  `^(?<sign>[+-]?) ?(?:${CURRENCY} ?(?<inner>[+-]?) ?)?(?<number>[.,]?[0-9](?:[0-9.,' ]*[0-9.,])?) ?(?:(?<thousands>k)|%)? ?${CURRENCY}?$`,
  'iu',
);
/** As programs write it. */
const SCIENTIFIC = /^[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)e[+-]?[0-9]{1,4}$/i;
const GROUPED = /^[0-9]{1,3}([., '])[0-9]{3}(?:\1[0-9]{3})*$/;
/** What may be a group before a separator: three digits after it make it thousands. */
const GROUP = /^[1-9][0-9]{0,2}$/;

/**
 * Whether answers to the question are read as typed numbers. A field that keeps the digits alone reads whatever has some.
 */
export const isTypedNumber = ({ type, transforms = [] }: FieldRule): boolean =>
  type === 'Number' && !transforms.includes('digits');

/** Of a language tag; a point where the language is not known. The server passes it to pages: browsers differ in the languages they know. */
export function decimalSeparatorOf(language: string): DecimalSeparator {
  try {
    // Another would be replaced by the language of this machine.
    const [known] = Intl.NumberFormat.supportedLocalesOf(language);
    if (known === undefined) return '.';
    const parts = new Intl.NumberFormat(known).formatToParts(0.5);
    return parts.some(({ type, value }) => type === 'decimal' && value === ',') ? ',' : '.';
  } catch {
    // A definition may have a tag that has the form of one, and is none.
    return '.';
  }
}

/**
 * A number that a person typed, as decimal text such as `1500.5`; null for text that is none.
 *
 * Signs, spaces, a currency before or after it and a percent sign may stand around the number, and `k` makes it
 * thousands. Spaces and apostrophes group digits by threes. Of commas and points that both occur the last one begins the
 * fraction. One that stands alone begins it too, unless exactly three digits follow one to three others: `1,234` and
 * `1.234` are what the language of the page makes of them. What could be a slip, such as `1,5000` in English, is none.
 */
export function readTypedNumber(text: string, decimal: DecimalSeparator): string | null {
  if (text.length > TEXT_MAX) return null;
  const plain = plainText(text);
  if (SCIENTIFIC.test(plain)) return finite(plain);
  const { sign = '', inner = '', number = '', thousands = '' } = WRITTEN.exec(plain)?.groups ?? {};
  if (sign !== '' && inner !== '') return null;
  const parts = partsOf(number, decimal);
  if (parts === null) return null;
  const [whole, fraction] = thousands === '' ? parts : shifted(parts);
  const minus = sign + inner === '-' ? '-' : '';
  const digits = whole.replace(/^0+(?=[0-9])/, '');
  return finite(`${minus}${digits === '' ? '0' : digits}${fraction === '' ? '' : `.${fraction}`}`);
}

/** In ASCII where people use other forms of the same characters, with single spaces. */
const plainText = (text: string): string =>
  text
    .replace(INVISIBLE, '')
    .replace(OTHER_DIGIT, digitOf)
    .replace(FULL_WIDTH, (sign) => String.fromCharCode(sign.charCodeAt(0) - FULL_WIDTH_OFFSET))
    .replaceAll('\u066b', '.')
    .replace(/[\u066c\u2018\u2019\u02bc`´]/g, "'")
    .replaceAll('\u066a', '%')
    .replace(/[\p{Pd}\u2212]/gu, '-')
    .replace(/\s+/g, ' ')
    .trim();

function digitOf(digit: string): string {
  const code = digit.charCodeAt(0);
  const zero = ZEROS.find((first) => code >= first && code <= first + 9) ?? code;
  return String(code - zero);
}

type Parts = [whole: string, fraction: string];

/** The digits before and after the fraction begins; null where they are not one number. */
function partsOf(number: string, decimal: DecimalSeparator): Parts | null {
  const marks = number.match(/[.,]/g) ?? [];
  const last = marks.at(-1);
  if (last === undefined) return wholeOnly(number);
  const isMixed = marks.some((mark) => mark !== last);
  // The last mark begins the fraction, so that it stands once.
  if (isMixed && marks.filter((mark) => mark === last).length > 1) return null;
  if (!isMixed && marks.length > 1) return wholeOnly(number);
  const at = number.lastIndexOf(last);
  const [before, after] = [number.slice(0, at), number.slice(at + 1)];
  if (!/^[0-9]*$/.test(after)) return wholeOnly(number);
  const isFraction = isMixed || last === decimal || isShort(before, after);
  if (!isFraction) return GROUP.test(before) ? wholeOnly(number) : null;
  const whole = before === '' ? '' : (wholeOnly(before)?.[0] ?? null);
  return whole === null ? null : [whole, after];
}

/** A fraction in any language: of two digits at most, or of nothing. */
const isShort = (before: string, after: string): boolean =>
  after.length <= 2 || /^0*$/.test(before);

function wholeOnly(number: string): Parts | null {
  if (/^[0-9]+$/.test(number)) return [number, ''];
  return GROUPED.test(number) ? [number.replace(/[^0-9]/g, ''), ''] : null;
}

const shifted = ([whole, fraction]: Parts): Parts => [
  whole + fraction.slice(0, 3).padEnd(3, '0'),
  fraction.slice(3),
];

const finite = (decimal: string): string | null =>
  Number.isFinite(Number(decimal)) ? decimal : null;
