/** What is left of a limit, as its owner reads it. */
import { fromMicros } from '../../fields/money.js';
import type { CapLeft } from '../../routing/rules/capsLeft.js';

/** Money is in currency. */
export function leftView({ window, of, limit, used, left, resets_at }: CapLeft) {
  const shown = of === 'budget' ? fromMicros : (count: number) => count;
  return {
    window,
    of,
    limit: shown(limit),
    used: shown(used),
    left: shown(left),
    resets_at: resets_at?.toISOString() ?? null,
  };
}
