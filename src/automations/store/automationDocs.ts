/** Automations, what each subscribes to, and its deliveries. */
import type { EventType } from '../../events/rules/events.js';

export const EVENT_DELIVERY_STATES = ['waiting', 'delivered', 'parked'] as const;

/**
 * waiting: to be sent when it is due. delivered: the receiver accepted it. parked: dead-lettered, for a person to
 * check; only that person sends it again.
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
  /** Its position among the events of its lead: of one lead the lowest goes first. 0 without a lead. */
  ord: number;
  state: EventDeliveryState;
  /** Number of attempts begun. */
  attempts: number;
  /** Waiting: not before. While it is being sent: by then its drain counts as dead. */
  due_at: Date;
  /** The run that sends it now; absent while none does. */
  run?: string;
  /** A failure after that parks it, unless its automation was paused meanwhile (`givesUpAt`). */
  give_up_at: Date;
  /** When the event happened. */
  created_at: Date;
  sent_at?: Date;
  http_status?: number;
  /** Why it was not accepted, or was dead-lettered. */
  reason?: string;
  delivered_at?: Date;
}
