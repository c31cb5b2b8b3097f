/** The windows in which a delivery counts: those of its buyer, its supplier and its campaign. */
import { CALENDAR_WINDOWS, type CapScope } from '../../account/rules/capLimits.js';
import type { CountedKeys } from '../../fields/windowKeys.js';

/** Windows of a supplier's and a campaign's counters, where they differ from the buyer's. */
export type WindowsApart = Partial<Record<Exclude<CapScope, 'buyer'>, CountedKeys>>;

export interface RowWindows {
  /** Those of the buyer's counters, and of each counter that `reserved_apart` does not name; null for a test lead. */
  reserved: CountedKeys | null;
  /** Around an hour or a midnight each counter may have another: some processes are past it, others are not. */
  reserved_apart?: WindowsApart;
}

/** The windows of one of its counters; null for a test lead, which is not counted. */
export function windowsIn(
  { reserved, reserved_apart }: RowWindows,
  scope: CapScope,
): CountedKeys | null {
  if (reserved === null || scope === 'buyer') return reserved;
  return reserved_apart?.[scope] ?? reserved;
}

/** Adds the windows that one counter has reserved. The buyer's come first, as the others are compared with them. */
export function withWindows(row: RowWindows, scope: CapScope, keys: CountedKeys): RowWindows {
  if (scope === 'buyer') return { reserved: keys };
  if (CALENDAR_WINDOWS.every((one) => row.reserved?.[one] === keys[one])) return row;
  return { ...row, reserved_apart: { ...row.reserved_apart, [scope]: keys } };
}
