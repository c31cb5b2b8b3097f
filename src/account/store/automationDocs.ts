import type { FilterGroup } from '../../fields/filterRules.js';
import type { EventType } from '../../events/rules/events.js';
import type { SealedValue } from '../../platform/security/sealedValue.js';

/** How an automation tells of an event, and whom. */
export type AutomationTarget =
  /** `headers`: a JSON object of texts, which may hold keys of the receiver. */
  | { action: 'WEBHOOK'; target: { url: string; headers?: SealedValue } }
  | { action: 'EMAIL'; target: { to: string[]; checked?: true } }
  /** An incoming webhook of Slack, whose address is its secret. */
  | { action: 'SLACK'; target: { url: SealedValue } }
  /** `columns` are named in full, so that those of two rows are the same; the event's id goes before them. */
  | {
      action: 'GOOGLE_SHEET';
      target: { spreadsheet_id: string; sheet: string | null; columns: string[] };
    }
  | { action: 'REDISTRIBUTE'; target: { campaign_id: string } };

export interface AutomationOutboxEvent {
  /** Of the event. */
  _id: string;
  at: Date;
  reason: string;
}

export type AutomationDoc = AutomationTarget & {
  _id: string;
  org_id: string;
  name: string;
  trigger: EventType;
  /** Null: of every campaign. */
  campaign_id: string | null;
  conditions: FilterGroup | null;
  /**
   * It is the webhook of this supplier: told of its own leads that were answered `pending`, once they are decided, and
   * no more than their answer at ingest would have said. Absent: it is the organization's.
   */
  supplier_id?: string;
  /** What requests are signed with; its text is the key of `X-LeadDistro-Signature` (see `src/platform/security/signatures.ts`). */
  secret: SealedValue;
  /** Signs too, until then: a receiver may change over in peace. */
  previous_secret?: { secret: SealedValue; until: Date };
  /** disabled: by the service, because what it was sent to failed for days or is gone. */
  status: 'active' | 'paused' | 'disabled';
  disabled_reason?: string;
  disabled_at?: Date;
  /** Since when nothing has arrived; absent while it is well. */
  failing_since?: Date;
  /** Its `automation.disabled` is not among the events yet. */
  untold?: AutomationOutboxEvent;
  created_at: Date;
};
