/** Automations, what each subscribes to, and its deliveries. */
import type { EventType } from '../../events/rules/events.js';

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
