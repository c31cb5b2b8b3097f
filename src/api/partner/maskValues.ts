/** Masks values in a text from another system: an answer may repeat what it was sent. */
import { getOwn } from '../../lib/getOwn.js';
import type { Scalar } from '../../fields/values.js';

const MASK = '[hidden]';
/** A shorter value may occur in the text by chance: it is masked only where it is a whole word. */
const WORD_MAX = 3;
/** A text may end within a value: this many characters of one at its end count. */
const CUT_MIN = 4;

/**
 * The text without these values, in each spelling of JSON, HTML or a URL, in any letter case; digits of phones in any
 * grouping. If a value is spelled in a way that cannot be cut out, nothing of the text is shown.
 */
export function maskValues(text: string, values: readonly Scalar[]): string {
  if (values.length === 0) return text;
  const wanted = [...new Set(values.map((value) => String(value).trim().toLowerCase()))]
    .filter((value) => value !== '' && value !== 'true' && value !== 'false')
    .sort((a, b) => b.length - a.length);
  const masked = wanted.reduce(withoutValue, text);
  return hasAny(plainOf(masked), wanted) ? MASK : masked;
}

function withoutValue(text: string, value: string): string {
  if (value.length > WORD_MAX) return text.replace(new RegExp(escaped(value), 'giu'), MASK);
  return text.replace(
    new RegExp(`(?<![\\p{L}\\p{N}])${escaped(value)}(?![\\p{L}\\p{N}])`, 'giu'),
    MASK,
  );
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

/** The text after masking, read as a decoder would. */
function plainOf(text: string): string {
  return text
    .replaceAll(MASK, '\n')
    .replace(/\\u([0-9a-f]{4})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
    .replace(/\\(["\\/])/g, '$1')
    .replace(/&#x([0-9a-f]{1,6});/gi, (whole, hex: string) => character(parseInt(hex, 16), whole))
    .replace(/&#(\d{1,7});/g, (whole, code: string) => character(Number(code), whole))
    .replace(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => getOwn(ENTITIES, name) ?? '')
    .replace(/(?:%[0-9a-f]{2})+/gi, decoded)
    .toLowerCase();
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const character = (code: number, whole: string): string =>
  code <= 0x10ffff ? String.fromCodePoint(code) : whole;

function decoded(escapes: string): string {
  try {
    return decodeURIComponent(escapes);
  } catch {
    return escapes;
  }
}

function hasAny(plain: string, values: readonly string[]): boolean {
  const spaced = plain.replaceAll('+', ' ');
  const digits = plain.replace(/[^0-9\n]/g, '');
  return values.some((value) => {
    if (value.length > WORD_MAX && (plain.includes(value) || spaced.includes(value))) return true;
    const number = value.replace(/\D/g, '');
    const isNumber = number.length >= 7 && number.length >= value.length - 5;
    if (isNumber && digits.includes(number.slice(-10))) return true;
    return endsWithin(plain, value);
  });
}

/** The text is cut off: its end may be the beginning of a value. */
function endsWithin(plain: string, value: string): boolean {
  for (let length = Math.min(value.length - 1, plain.length); length >= CUT_MIN; length -= 1) {
    if (plain.endsWith(value.slice(0, length))) return true;
  }
  return false;
}
