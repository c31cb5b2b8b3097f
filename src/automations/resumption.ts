/** What changes in an automation that is made active again. */
import type { AutomationDoc } from '../account/store/automationDocs.js';

/** `resumed_at` of automations that are made active again; undefined: none is. */
export const resumedAt = (
  current: readonly Pick<AutomationDoc, 'status'>[],
  status: 'active' | 'paused' | undefined,
  now: Date,
): Date | undefined =>
  status === 'active' && current.some((one) => one.status !== 'active') ? now : undefined;

/** The recorded failures of an automation that was disabled. */
export const CLEAN = { disabled_reason: true, disabled_at: true, failing_since: true } as const;
