/** Automations as the event code uses them: which to notify, and whether deliveries arrive. */
import type { Collection } from 'mongodb';
import type { EventType } from '../../events/rules/events.js';
import type { AutomationDoc } from '../../account/store/automationDocs.js';

export interface AutomationStore {
  /** Automations in these organizations with any of these triggers. */
  findSubscribed(orgIds: readonly string[], types: readonly EventType[]): Promise<AutomationDoc[]>;
  get(ids: readonly string[]): Promise<AutomationDoc[]>;
  /** No delivery has arrived since then; the first call to record it sets the time. */
  recordFailing(id: string, since: Date): Promise<void>;
  recordRecovered(id: string): Promise<void>;
  /**
   * Disables it, and writes the event that reports it. True for the one call that did: a paused or already disabled
   * automation stays as it is.
   */
  disable(id: string, reason: string, now: Date): Promise<boolean>;
  /** Automations disabled before then whose event is not published yet. */
  findUnpublished(before: Date, limit: number): Promise<AutomationDoc[]>;
  clearOutbox(id: string, eventId: string): Promise<void>;
}

export function createAutomationStore(automations: Collection<AutomationDoc>): AutomationStore {
  return {
    async findSubscribed(orgIds, types) {
      return automations
        .find({ org_id: { $in: [...orgIds] }, trigger: { $in: [...types] }, status: 'active' })
        .toArray();
    },
    async get(ids) {
      return automations.find({ _id: { $in: [...ids] } }).toArray();
    },
    async recordFailing(_id, since) {
      await automations.updateOne(
        { _id, failing_since: { $exists: false } },
        { $set: { failing_since: since } },
      );
    },
    async recordRecovered(_id) {
      await automations.updateOne({ _id }, { $unset: { failing_since: 1 } });
    },
    async disable(_id, reason, now) {
      const untold = { _id: `evt_${_id}_${String(Number(now))}`, at: now, reason };
      const { modifiedCount } = await automations.updateOne(
        { _id, status: 'active' },
        { $set: { status: 'disabled', disabled_reason: reason, disabled_at: now, untold } },
      );
      return modifiedCount > 0;
    },
    async findUnpublished(before, limit) {
      return automations
        .find({ 'untold.at': { $lt: before } })
        .limit(limit)
        .toArray();
    },
    async clearOutbox(_id, eventId) {
      await automations.updateOne({ _id, 'untold._id': eventId }, { $unset: { untold: 1 } });
    },
  };
}
