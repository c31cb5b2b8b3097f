/** The words of explanations: names, amounts, times, lists. */
import { DateTime } from 'luxon';
import type { Lead } from '../../leads/rules/lead.js';
import type { TrailEntry } from '../../leads/rules/trail.js';
import type { Plan } from '../../account/rules/plan.js';
import { fromMicros, type Micros } from '../../fields/money.js';

export type ExplainedLead = Pick<
  Lead,
  | '_id'
  | 'status'
  | 'is_test'
  | 'sales'
  | 'price'
  | 'cost'
  | 'profit'
  | 'created_at'
  | 'run'
  | 'duplicate_of'
  | 'replay_of'
  | 'trail'
  | 'trail_dropped'
>;

/** A lead, the plan that decided it, and the currency of its account. */
export interface Subject {
  lead: ExplainedLead;
  plan: Plan;
  currency: string;
}

export type Detail = Readonly<Record<string, unknown>>;
export const detailOf = ({ detail }: Pick<TrailEntry, 'detail'>): Detail => detail ?? {};

/** The step and the result of an entry, for tables. */
export const resultKey = ({ step, result }: TrailEntry): string => `${step} ${result}`;

/** The buyer's name in the plan. */
export const nameOf = (buyerId: string | undefined, { plan }: Pick<Subject, 'plan'>): string =>
  buyerId === undefined
    ? 'a buyer'
    : (plan.buyers.find(({ buyer_id }) => buyer_id === buyerId)?.name ?? `buyer ${buyerId}`);

/** For example `25.50 USD`. */
export function money(micros: Micros, { currency }: Pick<Subject, 'currency'>): string {
  const amount = fromMicros(micros);
  const cents = amount.toFixed(2);
  return `${Number(cents) === amount ? cents : amount} ${currency}`;
}

/** In the account's time zone, such as `2026-11-21 12:00:05 (America/Chicago)`; empty if it is not an instant. */
export function when(at: unknown, { plan }: Pick<Subject, 'plan'>): string {
  if (!(at instanceof Date)) return '';
  const zone = plan.time_zone;
  const shown = DateTime.fromJSDate(at, { zone }).toFormat('yyyy-MM-dd HH:mm:ss', {
    locale: 'en-US',
    numberingSystem: 'latn',
  });
  return `${shown} (${zone})`;
}

const SHOWN = 10;

/** `A, B and C`; a longer list is cut, and names the number left out. */
export function listed(words: readonly string[], last = 'and'): string {
  if (words.length > SHOWN)
    return `${words.slice(0, SHOWN).join(', ')} and ${words.length - SHOWN} more`;
  if (words.length < 2) return words.join('');
  return `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1) ?? ''}`;
}

export const counted = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? '' : 's'}`;

/** A value of a trail as text; empty for a value without one. */
export const shown = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : '';

export const textsOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(shown) : []);
