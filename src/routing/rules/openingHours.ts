/** Opening hours of a buyer whose leads are held for it. */
import type { BuyerTerms } from '../../account/rules/plan.js';
import { isOpenAt, nextOpening } from '../../fields/schedule.js';

/**
 * When a buyer that is closed now opens, if its leads are held for it (`when_closed` HOLD); null when it may be asked
 * now. A closed buyer whose leads go to others is not a candidate: see `eligibility.ts`.
 */
export function findOpening(
  { schedule, when_closed }: Pick<BuyerTerms, 'schedule' | 'when_closed'>,
  now: Date,
  timeZone: string,
): Date | null {
  if (!schedule || when_closed === 'SKIP' || isOpenAt(schedule, now, timeZone)) return null;
  return nextOpening(schedule, now, timeZone);
}
