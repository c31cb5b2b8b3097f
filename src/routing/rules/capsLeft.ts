/** The rest of caps and budgets, and when they reset: as their owner sees it. */
import { eachWindow, type CapLimits } from '../../account/rules/capLimits.js';
import type { Counters } from './caps.js';
import { capMoment, capUsage, type CapUsage } from './capUsage.js';

export type CapLeft = Omit<CapUsage, 'held'>;

/**
 * Each limit that is set, the daily cap as that of the weekday, the shortest window first.
 * @param counters undefined where nothing was counted yet
 */
export function capsLeft(
  limits: CapLimits,
  counters: Counters | undefined,
  { now, timeZone }: { now: Date; timeZone: string },
): CapLeft[] {
  const use = counters && { counters, held: eachWindow(() => ({ count: 0, amount: 0 })) };
  return capUsage(limits, use, capMoment(now, timeZone)).map(({ held: _, ...left }) => left);
}
