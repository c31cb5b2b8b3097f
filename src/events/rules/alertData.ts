/** The data of the events that tell a person to look: names beside ids, and the values that were compared. */
import type { AlertEventType } from './events.js';

interface OfCampaign {
  campaign_id: string;
  campaign_name: string;
}

/** A limit of which four fifths are used, counting what is in flight. */
export interface CapAlert extends OfCampaign {
  /** Whose cap it is; both null: the campaign's own. */
  buyer_id: string | null;
  buyer_name: string | null;
  supplier_id: string | null;
  supplier_name: string | null;
  /** hour, day, week, month or total. */
  window: string;
  /** count: leads. budget: money, in the account's currency. */
  of: 'count' | 'budget';
  limit: number;
  used: number;
  /** ISO 8601; null: never. */
  resets_at: string | null;
}

/** A supplier that sends nothing to a campaign at a time at which it usually does. */
export interface SupplierAlert extends OfCampaign {
  supplier_id: string;
  supplier_name: string;
  /** ISO 8601: when its last lead arrived. */
  last_lead_at: string;
  /** For how many hours it has been silent, where it usually is not. */
  hours: number;
}

/** A buyer to which leads that are due are not sent, or whose breaker stays open. */
export interface QueueAlert {
  buyer_id: string;
  buyer_name: string;
  /** breaker: nothing is sent since it fails. overdue: a lead has been due for too long. cleared: neither. */
  reason: 'breaker' | 'overdue' | 'cleared';
  /** ISO 8601: since when the breaker is open, or the lead due; when it was raised, where it is over. */
  since: string;
}

/** A campaign that sells a smaller part of its leads than it usually does. */
export interface AcceptanceAlert extends OfCampaign {
  /** The day that was compared, in the account's time zone. */
  day: string;
  /** Decided leads of that day, and how many of them were sold. */
  decided: number;
  sold: number;
  /** Shares of decided leads that were sold, 0 to 1: of that day, and of the two weeks before. */
  rate: number;
  usual_rate: number;
}

/** By the type of the event. */
export interface AlertData extends Record<AlertEventType, object> {
  'cap.nearly_full': CapAlert;
  'supplier.silent': SupplierAlert;
  'supplier.resumed': SupplierAlert;
  'queue.stuck': QueueAlert;
  'queue.cleared': QueueAlert;
  'acceptance.dropped': AcceptanceAlert;
  'acceptance.recovered': AcceptanceAlert;
}
