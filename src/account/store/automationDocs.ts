import type { FilterGroup } from '../../fields/filterRules.js';
import type { EventType } from '../../events/rules/events.js';
import type { SealedValue } from '../../platform/security/sealedValue.js';

/** How an automation reports an event, and to which target. */
export type AutomationTarget =
  /** `headers`: a JSON object of texts, which may hold keys of the receiver. */
  | { action: 'WEBHOOK'; target: { url: string; headers?: SealedValue } }
  | { action: 'EMAIL'; target: { to: string[]; checked?: true } }
  /** An incoming webhook of Slack, whose address is its secret. */
  | { action: 'SLACK'; target: { url: SealedValue } }
  /** `columns` are named in full, so that two rows always have the same ones; the event's id precedes them. */
  | {
      action: 'GOOGLE_SHEET';
      target: { spreadsheet_id: string; sheet: string | null; columns: string[] };
    }
  | { action: 'REDISTRIBUTE'; target: { campaign_id: string } };

export interface AutomationOutboxEvent {
  /** Id of the event. */
  _id: string;
  at: Date;
  reason: string;
}

export type AutomationDoc = AutomationTarget & {
  _id: string;
  org_id: string;
  name: string;
  trigger: EventType;
  /** Null: every campaign. */
  campaign_id: string | null;
  conditions: FilterGroup | null;
  /**
   * The supplier whose webhook it is: it reports that supplier's own leads that were answered `pending`, once they are
   * decided, and no more than their answer at ingest would have contained. Absent: it is the organization's.
   */
  supplier_id?: string;
  /** Signs requests; its text is the key of `X-LeadDistro-Signature` (see `src/platform/security/signatures.ts`). */
  secret: SealedValue;
  /** Signs too, until then, so that a receiver has time to change over. */
  previous_secret?: { secret: SealedValue; until: Date };
  /** disabled: by the service, because its target failed for days or is gone. */
  status: 'active' | 'paused' | 'disabled';
  /** When it was last made active again: until then nothing was tried, whatever waited. Absent: always active. */
  resumed_at?: Date;
  disabled_reason?: string;
  disabled_at?: Date;
  /** Since when every delivery has failed; absent while it is healthy. */
  failing_since?: Date;
  /** Its `automation.disabled`, while it has not been published yet. */
  untold?: AutomationOutboxEvent;
  created_at: Date;
};
