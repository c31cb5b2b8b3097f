/** How an account's values are written: instants in its time zone, money in its currency. */

export interface Look {
  /** IANA name. */
  zone: string;
  /** ISO 4217; null: not known, and amounts are written without one. */
  currency: string | null;
  /** Milliseconds: instants of the same day are written by their time alone. */
  now: number;
}

/** Where the account is not known: instants in UTC, amounts without a currency. */
export const plainLook = (now = Date.now()): Look => ({ zone: 'UTC', currency: null, now });

/** Two decimals at least, where the currency has decimals, and four at most. */
export function moneyText(amount: number, { currency }: Pick<Look, 'currency'>): string {
  if (currency === null) return formatterOf(null).format(amount);
  try {
    return formatterOf(currency).format(amount);
  } catch {
    return `${formatterOf(null).format(amount)} ${currency}`;
  }
}

const formatters = new Map<string | null, Intl.NumberFormat>();

/** Making one costs more than a hundred amounts. @throws {RangeError} for what is no currency */
function formatterOf(currency: string | null): Intl.NumberFormat {
  const known = formatters.get(currency);
  if (known) return known;
  const made = new Intl.NumberFormat('en-US', {
    ...(currency === null
      ? { minimumFractionDigits: 2 }
      : { style: 'currency' as const, currency }),
    maximumFractionDigits: 4,
  });
  formatters.set(currency, made);
  return made;
}

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z$/;

/** Whether a text is an instant as answers have them. */
export const isInstant = (text: string): boolean => INSTANT.test(text);

/** An instant to the second, with its zone: `2026-11-28 09:03:07 EST`, in UTC `2026-11-28 14:03:07Z`. */
export function instantText(text: string, look: Look): string {
  const { year, month, day, hour, minute, second, timeZoneName } = partsOf(text, look.zone);
  const end = look.zone === 'UTC' ? 'Z' : ` ${timeZoneName}`;
  return `${year}-${month}-${day} ${hour}:${minute}:${second}${end}`;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** An instant as a table has room for: the time of today, a day of this year with its time, a date of another year. */
export function shortInstant(text: string, { zone, now }: Look): string {
  const at = partsOf(text, zone);
  const today = partsOf(new Date(now).toISOString(), zone);
  if (at.year !== today.year) return `${at.year}-${at.month}-${at.day}`;
  if (at.month === today.month && at.day === today.day)
    return `${at.hour}:${at.minute}:${at.second}`;
  return `${MONTHS[Number(at.month) - 1] ?? ''} ${at.day} ${at.hour}:${at.minute}`;
}

/** A zone in a few signs, for the title of a column: `ET`, `Berlin`, `UTC`. It is the same in summer and in winter. */
export function zoneText(zone: string): string {
  if (zone === 'UTC') return zone;
  const generic = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'shortGeneric' })
    .formatToParts(0)
    .find(({ type }) => type === 'timeZoneName')?.value;
  if (generic !== undefined && /^[A-Z]{2,4}$/.test(generic)) return generic;
  return zone.slice(zone.lastIndexOf('/') + 1).replaceAll('_', ' ');
}

type Part = 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second' | 'timeZoneName';

const clocks = new Map<string, Intl.DateTimeFormat>();

function partsOf(text: string, zone: string): Record<Part, string> {
  const known = clocks.get(zone);
  const clock =
    known ??
    new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      timeZoneName: 'short',
    });
  if (!known) clocks.set(zone, clock);
  const parts = clock.formatToParts(new Date(text)).map(({ type, value }) => [type, value]);
  return Object.fromEntries(parts) as Record<Part, string>;
}
