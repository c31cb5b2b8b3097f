/** How much of caps and budgets is used. */
import {
  CAP_WINDOWS,
  limitsOn,
  type CapLimits,
  type CapWindow,
} from '../../account/rules/capLimits.js';
import type { WindowKeys } from '../../fields/windowKeys.js';
import { rollWindows, type Counters } from './caps.js';

export interface CapRatio {
  window: CapWindow;
  /** count: leads. budget: money. */
  of: 'count' | 'budget';
  ratio: number;
}

/**
 * The used part of each limit that is set, in the windows of `now`: 0 for nothing, 1 for all of it. Reservations count as
 * used. A limit of 0 is used up.
 */
export function capRatios(limits: CapLimits, counters: Counters, now: WindowKeys): CapRatio[] {
  const open = rollWindows(counters, now);
  const today = limitsOn(limits, open.day.key);
  return CAP_WINDOWS.flatMap(({ window, cap, budget }) => [
    ...ratioOf({ window, of: 'count' }, today[cap], open[window].count),
    ...ratioOf({ window, of: 'budget' }, today[budget], open[window].amount),
  ]);
}

function ratioOf(
  limit: Omit<CapRatio, 'ratio'>,
  allowed: number | null | undefined,
  used: number,
): CapRatio[] {
  if (allowed == null) return [];
  return [{ ...limit, ratio: allowed === 0 ? 1 : used / allowed }];
}
