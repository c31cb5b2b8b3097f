/**
 * The one normal form of each kind of value, used wherever such a value is read: ingest, lookups,
 * postbacks, lists, terms of links. Each function returns null for text that is not such a value, checks the length
 * first, and returns its own results unchanged. Only ASCII digits count: a digit of another script makes the
 * value invalid, so that none is dropped or mistaken silently.
 */
import { visibleText } from '../lib/invisible.js';
import { SHORT_TEXT } from './phone.js';

export { normalizeEmail } from './email.js';
export { normalizePhone } from './phone.js';

const shortText = (text: string): string => (text.length > SHORT_TEXT ? '' : visibleText(text));

/**
 * What the state of an address in the US can be (USPS Publication 28, appendix B): the fifty states, the District of
 * Columbia, the territories, and the three areas of military post. In the order of their names.
 */
export const STATES: readonly (readonly [code: string, name: string])[] = (
  'AL Alabama|AK Alaska|AS American Samoa|AZ Arizona|AR Arkansas|AA Armed Forces Americas|AE Armed Forces Europe|' +
  'AP Armed Forces Pacific|CA California|CO Colorado|CT Connecticut|DE Delaware|' +
  'DC District of Columbia|FL Florida|GA Georgia|GU Guam|HI Hawaii|ID Idaho|IL Illinois|IN Indiana|IA Iowa|KS Kansas|' +
  'KY Kentucky|LA Louisiana|ME Maine|MD Maryland|MA Massachusetts|MI Michigan|MN Minnesota|MS Mississippi|MO Missouri|' +
  'MT Montana|NE Nebraska|NV Nevada|NH New Hampshire|NJ New Jersey|NM New Mexico|NY New York|NC North Carolina|' +
  'ND North Dakota|MP Northern Mariana Islands|OH Ohio|OK Oklahoma|OR Oregon|PA Pennsylvania|PR Puerto Rico|' +
  'RI Rhode Island|SC South Carolina|SD South Dakota|TN Tennessee|TX Texas|UT Utah|VT Vermont|VI Virgin Islands|' +
  'VA Virginia|WA Washington|WV West Virginia|WI Wisconsin|WY Wyoming'
)
  .split('|')
  .map((entry) => [entry.slice(0, 2), entry.slice(3)] as const);

const CODES: ReadonlySet<string> = new Set(STATES.map(([code]) => code));
const TWO_LETTERS = /^[A-Za-z]{2}$/;

/** A two-letter US state or territory code in upper case (contract 2.2.4); full names are not read. */
export function normalizeState(text: string): string | null {
  const code = shortText(text);
  // Before upper-casing: some single letters of Unicode become two ASCII ones.
  if (!TWO_LETTERS.test(code)) return null;
  const upper = code.toUpperCase();
  return CODES.has(upper) ? upper : null;
}

const ZIP = /^([0-9]{5})(?:-?[0-9]{4})?$/;

/** A five-digit US zip code; ZIP+4 is cut to its first five digits. */
export function normalizeZip(text: string): string | null {
  return ZIP.exec(shortText(text))?.[1] ?? null;
}

const ISO_DATE = /^([0-9]{4})-([0-9]{2})-([0-9]{2})$/;
const US_DATE = /^([0-9]{1,2})\/([0-9]{1,2})\/([0-9]{4})$/;

/** A day of the calendar as YYYY-MM-DD, also read from MM/DD/YYYY. */
export function normalizeDate(text: string): string | null {
  const written = shortText(text);
  const iso = ISO_DATE.exec(written);
  if (iso) return calendarDay(iso[1], iso[2], iso[3]);
  const us = US_DATE.exec(written);
  return us ? calendarDay(us[3], us[1], us[2]) : null;
}

function calendarDay(year = '', month = '', day = ''): string | null {
  const written = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const date = new Date(`${written}T00:00:00Z`);
  if (Number(year) < 1 || Number.isNaN(Number(date))) return null;
  // The 30th of February is read as a day of March.
  return date.toISOString().startsWith(written) ? written : null;
}
