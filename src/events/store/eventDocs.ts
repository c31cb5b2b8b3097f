/** What is stored for those who run an installation: events, and their own commands. */
import type { LeadEventType } from '../rules/events.js';
import type { EventLead } from '../rules/leadData.js';
import type { LeadFacts } from '../rules/leadFacts.js';

interface EventBase {
  _id: string;
  org_id: string;
  /** When it happened. */
  created_at: Date;
  /** When it came among the events: later, where whoever wrote it died. Absent of those from before it was kept. */
  recorded_at?: Date;
}

/** `evt_${buyer_id}_${n}` */
export interface BuyerEvent extends EventBase {
  type: 'buyer.paused' | 'buyer.resumed';
  data: {
    buyer_id: string;
    /** Paused: nothing goes to the buyer before then. */
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

/** `evt_${lead_id}_${n}`. What never changes of the lead is read when the event is sent. */
export interface LeadEvent extends EventBase {
  type: LeadEventType;
  data: LeadFacts & {
    lead_id: string;
    n: number;
    campaign_id: string;
    supplier_id: string;
    is_test: boolean;
    /** Of an event that was made up: so is its lead. */
    lead?: EventLead;
  };
}

/** The service has given an automation up. */
export interface AutomationEvent extends EventBase {
  type: 'automation.disabled';
  data: { automation_id: string; name: string; reason: string };
}

/** What happened, for those who want to be told. */
export type EventDoc = BuyerEvent | PingEvent | LeadEvent | AutomationEvent;

/** An event that is about no lead. */
export type OtherEvent = Exclude<EventDoc, LeadEvent>;
