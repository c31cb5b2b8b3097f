/**
 * The one normal form of each kind of value, used wherever such a value is read: ingest, lookups,
 * postbacks, lists, terms of links. Each function returns null for text that is not such a value, checks the length first,
 * and returns its own results unchanged. Only ASCII digits count: a digit of another script makes the
 * value invalid, so that none is dropped or mistaken silently.
 */
import { STATES } from './states.js';

/** More characters than any written phone number, state, zip or date needs. */
const SHORT_TEXT = 64;
/** RFC 5321 leaves 254 characters for an address. */
const EMAIL_MAX = 254;

/** Invisible marks that come along when a value is copied from a contact list. */
const INVISIBLE = /\p{Cf}/gu;
/** One plus sign at the start, then digits and punctuation. */
const WRITTEN_PHONE = /^\+?[\d\s().,/\p{Pd}\u2212]+$/u;
const NOT_DIGITS = /[^0-9]/g;

/**
 * A phone number as E.164 text. A written plus says that the digits are international already. Without one, 10 digits
 * are read as North American and get +1, 11 that start with 1 get a plus, and any other 10 to 15 digits do: plausible
 * length is the rule (contract 2.3).
 */
export function normalizePhone(text: string): string | null {
  if (text.length > SHORT_TEXT) return null;
  const written = text.replace(INVISIBLE, '').trim();
  if (!WRITTEN_PHONE.test(written)) return null;
  const digits = written.replace(NOT_DIGITS, '');
  if (digits.length < 10 || digits.length > 15) return null;
  const isNational = digits.length === 10 && !written.startsWith('+');
  return isNational ? `+1${digits}` : `+${digits}`;
}

const LOCAL_PART =
  /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u;
const DOMAIN_LABEL = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?$/u;
const ONLY_DIGITS = /^\p{N}+$/u;

/** An e-mail address in lower case; the shape is checked, not whether it can be reached. */
export function normalizeEmail(text: string): string | null {
  if (text.length > 2 * EMAIL_MAX) return null;
  const address = text.replace(INVISIBLE, '').trim().toLowerCase().normalize('NFC');
  if (address.length > EMAIL_MAX) return null;
  const [local, domain, ...rest] = address.split('@');
  if (local === undefined || domain === undefined || rest.length > 0) return null;
  if (local.length > 64 || !LOCAL_PART.test(local)) return null;
  const labels = domain.split('.');
  const top = labels.at(-1) ?? '';
  if (labels.length < 2 || top.length < 2 || ONLY_DIGITS.test(top)) return null;
  return labels.every((label) => label.length <= 63 && DOMAIN_LABEL.test(label)) ? address : null;
}

const CODES: ReadonlySet<string> = new Set(STATES.map(([code]) => code));
const TWO_LETTERS = /^[A-Za-z]{2}$/;

/** A two-letter US state or territory code in upper case (contract 2.3); full names are not read. */
export function normalizeState(text: string): string | null {
  if (text.length > SHORT_TEXT) return null;
  const code = text.trim();
  // Before upper-casing: some single letters of Unicode become two ASCII ones.
  if (!TWO_LETTERS.test(code)) return null;
  const upper = code.toUpperCase();
  return CODES.has(upper) ? upper : null;
}

const ZIP = /^([0-9]{5})(?:-?[0-9]{4})?$/;

/** A five-digit US zip code; ZIP+4 is cut to its first five digits. */
export function normalizeZip(text: string): string | null {
  if (text.length > SHORT_TEXT) return null;
  return ZIP.exec(text.trim())?.[1] ?? null;
}

const ISO_DATE = /^([0-9]{4})-([0-9]{2})-([0-9]{2})$/;
const US_DATE = /^([0-9]{1,2})\/([0-9]{1,2})\/([0-9]{4})$/;

/** A day of the calendar as YYYY-MM-DD, also read from MM/DD/YYYY. */
export function normalizeDate(text: string): string | null {
  if (text.length > SHORT_TEXT) return null;
  const written = text.trim();
  const iso = ISO_DATE.exec(written);
  if (iso) return calendarDay(iso[1], iso[2], iso[3]);
  const us = US_DATE.exec(written);
  return us ? calendarDay(us[3], us[1], us[2]) : null;
}

function calendarDay(year = '', month = '', day = ''): string | null {
  const [y, m, d] = [Number(year), Number(month), Number(day)];
  if (y < 1 || m < 1 || m > 12 || d < 1 || d > daysInMonth(y, m)) return null;
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}
