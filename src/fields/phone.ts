/** Phone numbers as people, forms and spreadsheets write them (contract 2.2.2). Pages in browsers read them by it too. */
import { withoutInvisible } from '../lib/invisible.js';

/** A phone number that was read. */
export interface Phone {
  /** E.164. */
  number: string;
  /** What is dialed once it is answered; no part of the number. */
  extension?: string;
}

/** More characters than any written phone number, state, zip or date needs. */
export const SHORT_TEXT = 64;

/** Visible characters that only format text. */
const FORMAT = /\p{Cf}/gu;
const NOT_DIGITS = /[^0-9]/g;
/** One plus sign at the start, then digits and punctuation. */
const WRITTEN = /^\+?[\d\s().,/\p{Pd}\u2212]+$/u;

/** `x12`, `ext. 12`, `;ext=12`, `#12` at the end. */
const MARKED = /\s*[,;]?\s*(?:(?:ext(?:ension|n)?|x)\s*[.:=]{0,2}|#)\s*([0-9]{1,9})$/i;
/** `,12` or `/12` at the end: an extension where a whole number stands before it, otherwise a group of digits. */
const UNMARKED = /\s*[,/]+\s*([0-9]{1,9})$/;
/** A number as a spreadsheet writes it. */
const WITH_DECIMALS = /^(\+?[0-9]{10,})\.([0-9]+)$/;
/** What is dialed for a plus: in North America 011, nearly everywhere else 00. */
const EXIT_CODE = /^\+?\(?(?:011|00)\)?(?=[^0-9]*[0-9])/;
/** A country code, then the zero that is dialed within the country alone. */
const TRUNK_ZERO = /^(\+?[^0-9]{0,2}[1-9][0-9]{0,2}[^0-9(]{0,3})\(\s*0\s*\)/;
/** A whole North American number and a further group, which is ambiguous. */
const GROUP_TOO_MANY =
  /^(?:\+1[^0-9]*|(?!\+)(?:1[^0-9]*)?)\(?[0-9]{3}[^0-9]*[0-9]{3}[^0-9]*[0-9]{4}[^0-9]+[0-9]/;

/**
 * Reads a number and its extension. A plus, an exit code or a zero in parentheses behind the country code says that the
 * digits are international. Without one, 10 digits are read as North American and get +1, 11 that start with 1 get a
 * plus, and any other 10 to 15 digits do: plausible length is the rule. Only ASCII digits count: a digit of another
 * script makes the text invalid, so that none is dropped or mistaken silently.
 * @returns null for text that is not a phone number
 */
export function readPhone(text: string): Phone | null {
  if (text.length > 4 * SHORT_TEXT) return null;
  const written = withoutInvisible(text).replace(FORMAT, '').trim();
  if (written.length > SHORT_TEXT) return null;
  for (const [pattern, isSure] of [
    [MARKED, true],
    [UNMARKED, false],
  ] as const) {
    const end = pattern.exec(written);
    if (!end) continue;
    const number = readNumber(written.slice(0, end.index));
    if (number !== null) return { number, extension: end[1] ?? '' };
    if (isSure) return null;
  }
  const number = readNumber(written);
  return number === null ? null : { number };
}

/** A phone number as E.164 text, without its extension; null for text that is not one. */
export const normalizePhone = (text: string): string | null => readPhone(text)?.number ?? null;

function readNumber(written: string): string | null {
  const [, whole, decimals] = WITH_DECIMALS.exec(written) ?? [];
  if (decimals !== undefined && Number(decimals) !== 0) return null;
  const plain = whole ?? written;
  if (!WRITTEN.test(plain)) return null;
  const { text, isInternational } = withoutPrefixes(plain);
  if (GROUP_TOO_MANY.test(text)) return null;
  const digits = digitsOf(text);
  if (digits.length < 10 || digits.length > 15) return null;
  return digits.length === 10 && !isInternational ? `+1${digits}` : `+${digits}`;
}

function withoutPrefixes(plain: string): { text: string; isInternational: boolean } {
  let text = plain;
  for (;;) {
    const rest = text.replace(EXIT_CODE, '').replace(TRUNK_ZERO, '$1');
    const hasExitCode = EXIT_CODE.test(text) && digitsOf(rest).length >= 10;
    if (!hasExitCode) break;
    text = `+${rest.trim()}`;
  }
  const bare = text.replace(TRUNK_ZERO, '$1');
  return { text: bare, isInternational: text.startsWith('+') || bare !== text };
}

const digitsOf = (text: string): string => text.replace(NOT_DIGITS, '');
