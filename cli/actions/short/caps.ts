/** Caps and budgets in short, `daily=50,hourly=5,mon=20`: the settings that they stand for. */
import { CAP_WINDOWS } from '../../../src/account/rules/capLimits.js';
import { WEEKDAYS, type Weekday } from '../../../src/fields/days.js';
import { getOwn } from '../../../src/lib/getOwn.js';
import { findNearest } from '../../../src/lib/nearest.js';
import { ShortFormFault, shown, splitAt, type Piece } from './fault.js';

export type LimitKind = 'cap' | 'budget';

/** `daily_cap` and the like; `daily_caps` has one for each day of the week. */
export type Limits = Record<string, number | null | Partial<Record<Weekday, number | null>>>;

/** The windows by their short names: `daily` is that of `daily_cap`. */
const keysOf = (kind: LimitKind): Map<string, string> =>
  new Map(CAP_WINDOWS.map((one) => [one[kind].replace(`_${kind}`, ''), one[kind]]));

/**
 * @returns by the keys of the settings
 * @throws {ShortFormFault} naming the first part that is no limit
 */
export function parseLimits(text: string, kind: LimitKind): Limits {
  const limits: Limits = {};
  const days: Partial<Record<Weekday, number | null>> = {};
  const keys = keysOf(kind);
  const seen = new Set<string>();
  for (const piece of splitAt(',', { text, at: 0 })) {
    const [name, value] = splitAt('=', piece);
    if (!name || !value)
      throw new ShortFormFault(
        `${shown(piece.text)} is no limit: write ${kind === 'cap' ? 'daily=50' : 'daily=500'}`,
        piece.at,
      );
    const key = name.text.toLowerCase();
    if (seen.has(key)) throw new ShortFormFault(`${shown(name.text)} is there twice`, name.at);
    seen.add(key);
    const limit = readLimit(value, kind);
    const day = kind === 'cap' ? WEEKDAYS.find((one) => one === key) : undefined;
    const setting = keys.get(key);
    if (setting !== undefined) limits[setting] = limit;
    else if (day) days[day] = limit;
    else throw unknownWindow(name, kind, [...keys.keys()]);
  }
  return Object.keys(days).length === 0 ? limits : { ...limits, daily_caps: days };
}

function unknownWindow({ text, at }: Piece, kind: LimitKind, windows: string[]): ShortFormFault {
  const names = kind === 'cap' ? [...windows, ...WEEKDAYS] : windows;
  const near = findNearest(text, names);
  const hint = near === undefined ? '' : ` Did you mean ${near}?`;
  return new ShortFormFault(
    `${shown(text)} is no window of a ${kind}.${hint} There are: ${names.join(', ')}`,
    at,
  );
}

/** Null: no limit. */
function readLimit({ text, at }: Piece, kind: LimitKind): number | null {
  if (/^(?:null|none)$/i.test(text)) return null;
  const isNumber = kind === 'cap' ? /^\d{1,15}$/ : /^\d{1,15}(?:\.\d{1,6})?$/;
  if (isNumber.test(text)) return Number(text);
  const rule = kind === 'cap' ? 'a whole number of leads' : "an amount in the account's currency";
  throw new ShortFormFault(`${shown(text)} is not ${rule}, or none`, at);
}

/** In short, which read again is the same. @param limits in currency; other keys are left out */
export function formatLimits(limits: Readonly<Record<string, unknown>>, kind: LimitKind): string {
  const textOf = (value: unknown): string => (typeof value === 'number' ? String(value) : 'none');
  const windows = [...keysOf(kind)].filter(([, key]) => Object.hasOwn(limits, key));
  const days = kind === 'cap' ? Object.entries(limits.daily_caps ?? {}) : [];
  return [...windows.map(([name, key]) => [name, getOwn(limits, key)] as const), ...days]
    .map(([name, value]) => `${name}=${textOf(value)}`)
    .join(',');
}
