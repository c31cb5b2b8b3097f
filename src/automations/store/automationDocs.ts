/** Who wants to be told of what, and what each is still to be told. */
import type { EventType } from '../../events/rules/events.js';
import type { FilterGroup } from '../../fields/filters.js';
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

export type AutomationDoc = AutomationTarget & {
  _id: string;
  org_id: string;
  name: string;
  trigger: EventType;
  /** Null: of every campaign. */
  campaign_id: string | null;
  conditions: FilterGroup | null;
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
  untold?: AutomationNews;
  created_at: Date;
};

export interface AutomationNews {
  /** Of the event. */
  _id: string;
  at: Date;
  reason: string;
}

export const EVENT_DELIVERY_STATES = ['waiting', 'delivered', 'parked'] as const;

/**
 * waiting: to be sent when it is due. delivered: a yes came. parked: given up, for a person to look at; nothing sends
 * it but that person.
 */
export type EventDeliveryState = (typeof EVENT_DELIVERY_STATES)[number];

/** One event on its way to one automation. */
export interface EventDeliveryDoc {
  /** `${automation_id}:${event_id}` */
  _id: string;
  org_id: string;
  automation_id: string;
  event_id: string;
  type: EventType;
  /** Null: the event is not about a lead. */
  lead_id: string | null;
  /** Its place among the events of its lead: of one lead the lowest goes first. 0 without a lead. */
  ord: number;
  state: EventDeliveryState;
  /** How often it was begun to be sent. */
  attempts: number;
  /** Waiting: not before. While it is being sent: by then its drain has died. */
  due_at: Date;
  /** Whoever sends it now; absent while nobody does. */
  run?: string;
  /** A failure after that parks it. */
  give_up_at: Date;
  /** When the event happened. */
  created_at: Date;
  sent_at?: Date;
  http_status?: number;
  /** Why it was not taken, or given up. */
  reason?: string;
  delivered_at?: Date;
}
