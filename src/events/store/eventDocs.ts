/** Events as they are stored. */
import type { AlertData } from '../rules/alertData.js';
import type { AlertEventType, LeadEventType } from '../rules/events.js';
import type { EventLead } from '../rules/leadData.js';
import type { LeadFacts } from '../rules/leadFacts.js';

interface EventBase {
  _id: string;
  org_id: string;
  /** When it happened. */
  created_at: Date;
  /** When it was published: later than it happened, if its writer died. Absent from events older than this field. */
  recorded_at?: Date;
}

/** `evt_${buyer_id}_${n}` */
export interface BuyerEvent extends EventBase {
  type: 'buyer.paused' | 'buyer.resumed';
  data: {
    buyer_id: string;
    /** Paused: nothing is sent to the buyer before then. */
    until: Date | null;
    /** Failed requests in a row. */
    failures: number;
    reason: string;
  };
}

/** Pings of one supplier for one campaign that no lead has redeemed in time. */
export interface PingEvent extends EventBase {
  type: 'ping.expired';
  data: {
    campaign_id: string;
    supplier_id: string;
    /** How many, 1 to 1,000. */
    count: number;
    ping_ids: string[];
  };
}

/** `evt_${lead_id}_${n}`. Values of the lead that never change are read when the event is sent. */
export interface LeadEvent extends EventBase {
  type: LeadEventType;
  data: LeadFacts & {
    lead_id: string;
    n: number;
    campaign_id: string;
    supplier_id: string;
    is_test: boolean;
    /** For a made-up event: its lead is made up too. */
    lead?: EventLead;
  };
}

/** The service has disabled an automation. */
export interface AutomationEvent extends EventBase {
  type: 'automation.disabled';
  data: { automation_id: string; name: string; reason: string };
}

/** `evt_${alert_id}_${n}`, with `-` for `:`: a person should look, or need not any more. */
export type AlertEvent = {
  [T in AlertEventType]: EventBase & { type: T; data: AlertData[T] };
}[AlertEventType];

/** Every kind of stored event. */
export type EventDoc = BuyerEvent | PingEvent | LeadEvent | AutomationEvent | AlertEvent;

/** An event without a lead. */
export type OtherEvent = Exclude<EventDoc, LeadEvent>;
