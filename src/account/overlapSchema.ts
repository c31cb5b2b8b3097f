/** How long a replaced secret or key stays valid in addition to the new one. */
import { wholeNumber } from '../lib/schema/settings.js';
import { checkValue } from './values.js';

/** A week at most. */
export const OverlapHours = wholeNumber(0, 168).default(24);

const HOUR_MS = 3_600_000;

/**
 * Until when it stays valid; null: it ends now.
 * @throws {AppError} `validation_failed` when the hours are not allowed
 */
export function overlapEnd(overlapHours: number | undefined, now: Date): Date | null {
  const hours = checkValue('overlap_hours', OverlapHours, overlapHours);
  return hours === 0 ? null : new Date(Number(now) + hours * HOUR_MS);
}
