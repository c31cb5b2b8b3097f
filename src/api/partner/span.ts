/** The days of a report. */
import { dayAfter, daysBetween } from '../../fields/days.js';
import { windowKeys } from '../../fields/windowKeys.js';
import type { PartnerContext } from './call.js';
import { invalidField } from '../actions/readInput.js';

export interface Span {
  from: string;
  to: string;
}

const DAYS_MAX = 92;
const DAYS = 30;

/**
 * Both days are included; without either, the last 30 days.
 * @throws {AppError} `invalid_input` where they are the wrong way round, or span too many days
 */
export function spanOf(
  given: { from?: string; to?: string },
  { clock, org }: Pick<PartnerContext, 'clock' | 'org'>,
): Span {
  const to = given.to ?? windowKeys(clock.now(), org.time_zone).day;
  const from = given.from ?? dayAfter(to, 1 - DAYS);
  const days = daysBetween(from, to);
  if (days < 1) throw invalidField('from', 'out_of_range', `from must not be after to, ${to}.`);
  if (days <= DAYS_MAX) return { from, to };
  throw invalidField('from', 'out_of_range', `from and to must span at most ${DAYS_MAX} days.`);
}

/** Every day of it, oldest first. */
export const daysOf = ({ from, to }: Span): string[] =>
  Array.from({ length: daysBetween(from, to) }, (_, n) => dayAfter(from, n));
