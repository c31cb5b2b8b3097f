/** Values as people read them in a table. */
import { instantText, isInstant, moneyText, plainLook, type Look } from './look.js';
import type { Paint } from './paint.js';

/** Keys that hold money, in the currency of the account. */
const MONEY =
  /^(price|revenue|cost|profit|cost_per_lead|bid|amount|lead_value)$|_(budget|price|cost|revenue|profit|bid)$/;

/** Words of a status by what they mean, in lower case. */
const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));
const GOOD = words(
  'active accepted done ok sold delivered ready enabled converted qualified closed published redeemed',
);
const WAITING = words(
  'paused pending new unmatched duplicate held unknown requested waiting parked queued draft invited half_open half-open',
);
const BAD = words(
  'rejected expired failed refused error archived withdrawn disabled returned open dropped not_qualified revoked',
);
const STATUS = /^(status|state|outcome|result|breaker|state_of|distribution_status)$/;

const PLAIN = plainLook();

/** Text for a person: `–` for no value, money with its cents, an instant to the second. */
export function cellText(key: string, value: unknown, look: Look = PLAIN): string {
  if (value === null || value === undefined || value === '') return '–';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return isMoney(key) ? moneyText(value, look) : String(value);
  if (typeof value === 'string')
    return isInstant(value) ? instantText(value, look) : visible(value);
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object'))
    return value.length === 0 ? '–' : visible(value.map(String).join(', '));
  if (Array.isArray(value) && value.every(isChange)) return value.map(changeText).join('; ');
  const name = nameIn(value);
  return visible(name ?? JSON.stringify(value));
}

/** A change of a setting, as the history of a campaign has it. */
interface Change {
  path: string;
  from: unknown;
  to: unknown;
}

const isChange = (value: unknown): value is Change =>
  typeof value === 'object' &&
  value !== null &&
  'path' in value &&
  'from' in value &&
  'to' in value;

/** What is a record of its own is named alone; --json has all of it. */
function changeText({ path, from, to }: Change): string {
  if (isWhole(to) && from === null) return visible(`${path} added`);
  if (isWhole(from) && to === null) return visible(`${path} removed`);
  if (isWhole(from) || isWhole(to)) return visible(`${path} changed`);
  return visible(`${path}: ${plainText(from) || '–'} → ${plainText(to) || '–'}`);
}

const isWhole = (value: unknown): boolean => typeof value === 'object' && value !== null;

/** The name of a record that is a value, such as a campaign or a person. */
function nameIn(value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return null;
  const { name, id } = value as { name?: unknown; id?: unknown };
  if (typeof id !== 'string' && !('kind' in value)) return null;
  return typeof name === 'string' ? name : typeof id === 'string' ? id : null;
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

/** Whether a number under this key is an amount of money. */
const isMoney = (key: string): boolean => MONEY.test(key);

/** Whether a value under this key is a word for the state that something is in. */
export const isStatus = (key: string): boolean => STATUS.test(key);

/** Words of a status in the color of their meaning. */
export function paintCell(key: string, text: string, paint: Paint): string {
  if (text.trim() === '–' || (isMoney(key) && !/[1-9]/.test(text))) return paint.dim(text);
  if (!isStatus(key)) return text;
  const word = text.trim().toLowerCase();
  if (GOOD.has(word)) return paint.green(text);
  if (WAITING.has(word)) return paint.yellow(text);
  return BAD.has(word) ? paint.red(text) : text;
}

/** Text from others must not control the terminal, nor break a line. */
// eslint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;
export const visible = (text: string): string => text.replace(CONTROL, ' ');

/** The same for text of several lines: tabs and line breaks stay. */
export const visibleLines = (text: string): string =>
  text.replace(CONTROL, (sign, at: number) => (isLayout(sign, text[at + 1]) ? sign : ' '));

const isLayout = (sign: string, next: string | undefined): boolean =>
  sign === '\t' || sign === '\n' || (sign === '\r' && next === '\n');
