/** Values as people read them in a table. */
import type { Paint } from './paint.js';

/** Keys that hold money, in the currency of the account. */
const MONEY =
  /^(price|revenue|cost|profit|cost_per_lead|bid|amount)$|_(budget|price|cost|revenue|bid)$/;
const INSTANT = /^\d{4}-\d{2}-\d{2}T(\d{2}:\d{2}:\d{2})(?:\.\d+)?Z$/;
const GOOD = new Set(['active', 'accepted', 'done', 'ok', 'sold', 'delivered', 'ready']);
const WAITING = new Set(['paused', 'pending', 'new', 'unmatched', 'duplicate', 'held', 'unknown']);
const BAD = new Set(['rejected', 'expired', 'failed', 'refused', 'error', 'archived', 'withdrawn']);
const STATUS = /^(status|outcome|result|state_of|distribution_status)$/;

/** Text for a person: `–` for no value, money with its cents, an instant to the second. */
export function cellText(key: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return '–';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return MONEY.test(key) ? money(value) : String(value);
  if (typeof value === 'string') return visible(instant(value));
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object'))
    return value.length === 0 ? '–' : visible(value.map(String).join(', '));
  return visible(JSON.stringify(value));
}

/** A value for another program: as it was sent, on one line. */
export function plainText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'object') return JSON.stringify(value);
  return typeof value === 'string' ? visible(value) : JSON.stringify(value);
}

/** Text from a buyer must not control the terminal. */
export const orDash = (value: unknown): string => (value == null ? '–' : plainText(value));

export const isNumeric = (value: unknown): boolean => typeof value === 'number';

/** Words of a status in the color of their meaning. */
export function paintCell(key: string, text: string, paint: Paint): string {
  if (text === '–') return paint.dim(text);
  if (!STATUS.test(key)) return text;
  const word = text.trim().toLowerCase();
  if (GOOD.has(word)) return paint.green(text);
  if (WAITING.has(word)) return paint.yellow(text);
  return BAD.has(word) ? paint.red(text) : text;
}

const money = (amount: number): string =>
  amount.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 4 });

const instant = (text: string): string => {
  const time = INSTANT.exec(text)?.[1];
  return time === undefined ? text : `${text.slice(0, 10)} ${time}Z`;
};

/** Text from others must not control the terminal, nor break a line. */
// eslint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;
export const visible = (text: string): string => text.replace(CONTROL, ' ');

/** The same for text of several lines: tabs and line breaks stay. */
export const visibleLines = (text: string): string =>
  text.replace(CONTROL, (sign, at: number) => (isLayout(sign, text[at + 1]) ? sign : ' '));

const isLayout = (sign: string, next: string | undefined): boolean =>
  sign === '\t' || sign === '\n' || (sign === '\r' && next === '\n');
