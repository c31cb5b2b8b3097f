/** Which limits are nearly full. */
import type { CapLimits, CapScope } from '../../account/rules/capLimits.js';
import { fromMicros } from '../../fields/money.js';
import { windowKeys } from '../../fields/windowKeys.js';
import type { CapLeft } from '../../routing/rules/capsLeft.js';
import { capsLeft } from '../../routing/rules/capsLeft.js';
import type { Counters } from '../../routing/rules/caps.js';

/** The share of a limit from which it counts as nearly full. Reservations of leads in flight count as used. */
const NEARLY_FULL = 0.8;

/** Caps of one owner, and what they have counted; undefined: nothing. */
export interface OwnedCaps {
  scope: CapScope;
  limits: CapLimits;
  counters: Counters | undefined;
}

/** Money in the account's currency. */
export type NearlyFull = CapLeft & {
  /** The window that the limit counts in, and the limit: a raised limit may become nearly full again. */
  key: string;
};

/** The limits of which four fifths are used, in their current windows. */
export function findNearlyFull(
  { limits, counters }: OwnedCaps,
  at: { now: Date; timeZone: string },
): NearlyFull[] {
  if (!counters) return [];
  const keys = windowKeys(at.now, at.timeZone);
  return capsLeft(limits, counters, at)
    .filter(({ limit, used }) => limit > 0 && used >= limit * NEARLY_FULL)
    .map((one) => {
      const window = one.window === 'total' ? 'total' : keys[one.window];
      const key = `${one.of}:${window}:${String(one.limit)}`;
      return one.of === 'count' ? { ...one, key } : { ...inCurrency(one), key };
    });
}

const inCurrency = (one: CapLeft): CapLeft => ({
  ...one,
  limit: fromMicros(one.limit),
  used: fromMicros(one.used),
  left: fromMicros(one.left),
});
