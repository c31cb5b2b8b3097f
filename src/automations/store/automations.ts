/** Automations as the event code uses them: which to notify, and whether deliveries arrive. */
import type { Collection } from 'mongodb';
import type { EventType } from '../../events/rules/events.js';
import type { AutomationDoc } from '../../account/store/automationDocs.js';

export type AutomationStore = ReturnType<typeof createAutomationStore>;

export function createAutomationStore(automations: Collection<AutomationDoc>) {
  return {
    /** Automations in these organizations with any of these triggers. */
    findSubscribed: async (orgIds: readonly string[], types: readonly EventType[]) =>
      automations
        .find({ org_id: { $in: [...orgIds] }, trigger: { $in: [...types] }, status: 'active' })
        .toArray(),
    get: async (ids: readonly string[]) => automations.find({ _id: { $in: [...ids] } }).toArray(),
    /** No delivery has arrived since then; the first call to record it sets the time. */
    recordFailing: async (_id: string, failing_since: Date) =>
      automations.updateOne(
        { _id, failing_since: { $exists: false } },
        { $set: { failing_since } },
      ),
    recordRecovered: async (_id: string) =>
      automations.updateOne({ _id }, { $unset: { failing_since: 1 } }),
    /**
     * Disables it, and writes the event that reports it. True for the one call that did: a paused or already disabled
     * automation stays as it is.
     */
    async disable(_id: string, reason: string, now: Date): Promise<boolean> {
      const untold = { _id: `evt_${_id}_${String(Number(now))}`, at: now, reason };
      const { modifiedCount } = await automations.updateOne(
        { _id, status: 'active' },
        { $set: { status: 'disabled', disabled_reason: reason, disabled_at: now, untold } },
      );
      return modifiedCount > 0;
    },
    /** Automations disabled before then whose event is not published yet. */
    findUnpublished: async (before: Date, limit: number) =>
      automations.find({ 'untold.at': { $lt: before } }, { limit }).toArray(),
    clearOutbox: async (_id: string, eventId: string) =>
      automations.updateOne({ _id, 'untold._id': eventId }, { $unset: { untold: 1 } }),
  };
}

/** `resumed_at` of automations that are made active again; undefined: none is. */
export const resumedAt = (
  current: readonly Pick<AutomationDoc, 'status'>[],
  status: 'active' | 'paused' | undefined,
  now: Date,
): Date | undefined =>
  status === 'active' && current.some((one) => one.status !== 'active') ? now : undefined;

/** The recorded failures of an automation that was disabled. */
export const CLEAN = { disabled_reason: true, disabled_at: true, failing_since: true } as const;
