/**
 * When a supplier that usually sends leads counts as silent, for a person who looks: by its mean gap, nights included. The
 * event `supplier.silent` wakes people, and so compares a link with the same hours of the weeks before (`src/alerts`).
 */

const DAY_MS = 86_400_000;
/** A supplier that sends every minute is not called silent for a pause of minutes. */
const LEAST_MS = 3_600_000;
/** How many of its usual gaps pass before it is. */
const GAPS = 3;

/**
 * @param sent leads within so many days
 * @returns since when it is silent; null: it is not, or it sent nothing in these days
 */
export function silentSince(
  { leads, days }: { leads: number; days: number },
  lastAt: Date | undefined,
  now: Date,
): Date | null {
  if (leads <= 0 || !lastAt) return null;
  const usualMs = (days * DAY_MS) / leads;
  return Number(now) - Number(lastAt) > Math.max(LEAST_MS, GAPS * usualMs) ? lastAt : null;
}
