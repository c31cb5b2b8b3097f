/** What changes in an automation that is made active again. */
import type { AutomationDoc } from '../account/store/automationDocs.js';

/** What waited for an automation that is made active again is tried for days from then on. */
export const resumption = (
  current: readonly Pick<AutomationDoc, 'status'>[],
  status: 'active' | 'paused' | undefined,
  now: Date,
): Pick<AutomationDoc, 'resumed_at'> =>
  status === 'active' && current.some((one) => one.status !== 'active') ? { resumed_at: now } : {};

/** The recorded failures of an automation that was disabled. */
export const CLEAN = { disabled_reason: true, disabled_at: true, failing_since: true } as const;
