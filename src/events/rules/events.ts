/** The kinds of events, those of leads among them, and the form in which an event is sent. */

/** The kinds of events that a lead has (contract 8.1). */
export const LEAD_EVENTS = [
  'lead.created',
  'lead.accepted',
  'lead.rejected',
  'lead.unmatched',
  'lead.duplicate',
  'lead.expired',
  'lead.outcome',
  'lead.returned',
] as const;
export type LeadEventType = (typeof LEAD_EVENTS)[number];

/** What a person should look at (contract 8.1): found by the work of every minute, told once, and told when it is over. */
export const ALERT_EVENTS = [
  'cap.nearly_full',
  'supplier.silent',
  'supplier.resumed',
  'queue.stuck',
  'queue.cleared',
  'acceptance.dropped',
  'acceptance.recovered',
] as const;
export type AlertEventType = (typeof ALERT_EVENTS)[number];

/** Every event that can trigger an automation (contract 8.1). */
export const EVENT_TYPES = [
  ...LEAD_EVENTS,
  'ping.expired',
  'buyer.paused',
  'buyer.resumed',
  'automation.disabled',
  ...ALERT_EVENTS,
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

export const isLeadEvent = (type: EventType): type is LeadEventType =>
  LEAD_EVENTS.some((one) => one === type);

export const isAlertEvent = (type: EventType): type is AlertEventType =>
  ALERT_EVENTS.some((one) => one === type);

/** The message that is sent, in the order in which a reader looks for its fields. */
export interface Envelope {
  id: string;
  type: EventType;
  /** ISO 8601. */
  created_at: string;
  data: Record<string, unknown>;
}

export const envelopeOf = (
  event: { _id: string; type: EventType; created_at: Date },
  data: Record<string, unknown>,
): Envelope => ({
  id: event._id,
  type: event.type,
  created_at: event.created_at.toISOString(),
  data,
});

/** The organizations that subscribe to each kind of event; a kind without subscribers is absent. */
export type EventSubscriptions = ReadonlyMap<string, readonly string[]>;

export const NO_SUBSCRIPTIONS: EventSubscriptions = new Map();
