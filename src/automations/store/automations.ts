/** Automations as those who tell of events see them: whom there is to tell, and whether it arrives. */
import type { Collection } from 'mongodb';
import type { EventType } from '../../events/rules/events.js';
import type { AutomationDoc } from '../../account/store/automationDocs.js';

export interface AutomationStore {
  /** Those that are set off by any of these, in these organizations. */
  findSubscribed(orgIds: readonly string[], types: readonly EventType[]): Promise<AutomationDoc[]>;
  get(ids: readonly string[]): Promise<AutomationDoc[]>;
  /** Nothing has arrived since then; the first to say so is heard. */
  recordFailing(id: string, since: Date): Promise<void>;
  recordRecovered(id: string): Promise<void>;
  /**
   * Gives it up, and writes the event that says so. True for the one call that has: what is paused, or given up
   * already, stays as it is.
   */
  disable(id: string, reason: string, now: Date): Promise<boolean>;
  /** Those given up before then whose event is not among the events yet. */
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
