/** What is left of a limit, as its owner reads it. */
import { fromMicros } from '../../fields/money.js';
import type { CapLeft } from '../../routing/rules/capsLeft.js';

/** Money is in currency. */
export function leftView({ limit, used, left, ...one }: CapLeft) {
  const shown = one.of === 'budget' ? fromMicros : (count: number) => count;
  return { ...one, limit: shown(limit), used: shown(used), left: shown(left) };
}
