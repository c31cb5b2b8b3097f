/** One lead on its way through a run: the buyers it can still go to, and those tried so far. */
import type { LeadStore } from '../leads/store/leads.js';
import type { Lead } from '../leads/rules/lead.js';
import type { TrailEntry } from '../leads/rules/trail.js';
import type { BuyerTerms, Plan, SupplierTerms } from '../account/rules/plan.js';
import type { Micros } from '../fields/money.js';
import type { Offer } from '../routing/rules/capUse.js';
import type { DeliveryVerdict } from '../deliveries/rules/delivery.js';
import type { RowWindows, WindowsApart } from '../deliveries/rules/rowWindows.js';
import type { CountedKeys } from '../fields/windowKeys.js';
import { getOwn } from '../lib/getOwn.js';
import type { DeliveryDoc } from '../deliveries/store/deliveryDoc.js';

/** A buyer that definitely did not accept the lead, and might later. */
export interface Missed {
  terms: BuyerTerms;
  /** The row of the attempt; null when none was made. */
  rowId: string | null;
  reason: string;
  retryAfterMs: number;
}

export interface Task {
  lead: Lead;
  plan: Plan;
  /** The account's time zone now, which caps are counted in, for a lead that is offered again; absent: that of the plan. */
  zone?: string;
  supplier: SupplierTerms;
  /** Buyers not asked yet, best first. */
  candidates: BuyerTerms[];
  /** Ordinal of the next delivery row, from 1. */
  nextAttempt: number;
  missed: Missed[];
  trail: TrailEntry[];
  /** Number of buyers that have it already. */
  sold: number;
  /** The buyer of its first sale; absent while it has none. */
  soldTo?: string;
  /** The reservation with its first candidate, where it was made while the lead's keys were claimed. */
  reserved?: Reserved;
  /** Set for a row of the durable lane that is sent again before any candidate is asked. */
  again?: { row: DeliveryDoc; terms: BuyerTerms };
}

/** A lead, and the buyers it may go to. */
export type Offered = Pick<Task, 'lead' | 'plan' | 'zone' | 'candidates' | 'trail'>;

/** Ready for its first attempt. */
export function asTask({ lead, plan, zone, candidates, trail }: Offered): Task {
  const supplier = getOwn(plan.suppliers, lead.supplier_id);
  if (!supplier) throw new Error(`Lead ${lead._id} names a supplier outside its plan`);
  return {
    lead,
    plan,
    zone,
    supplier,
    candidates: [...candidates],
    trail: [...trail],
    nextAttempt: 1,
    missed: [],
    sold: lead.sales.length,
    soldTo: lead.buyer_id ?? undefined,
  };
}

/** The time zone in which the caps of a task are counted. */
export const zoneOf = ({ zone, plan }: Pick<Task, 'zone' | 'plan'>): string =>
  zone ?? plan.time_zone;

/** The id of a lead's n-th delivery row, n from 1. */
export const rowId = (leadId: string, n: number): string => `${leadId}:${n}`;

/** A task with the reservations of its next attempt. */
export interface Reserved {
  task: Task;
  terms: BuyerTerms;
  /** The windows its reservations are counted in, or requested for; null for a test lead, which reserves nothing. */
  keys: CountedKeys | null;
  /** Those of its supplier's and its campaign's counters where they differ from the buyer's. */
  apart?: WindowsApart;
  /** The windows are those that its stored row names. An unused reservation for the row may be counted in later ones. */
  isOfRow?: true;
  /** The fencing token with which that row was counted; absent in old rows. */
  rowFence?: number;
  /** The lead is sold already: its supplier and campaign have counted it. */
  further: boolean;
  /** When this buyer was chosen. */
  askedAt: Date;
  /** The recorded amounts, when the buyer's answer names the price. */
  booked?: { price: Micros; cost: Micros };
  /** Id of its reservations: that of its delivery row, which may not be stored yet. */
  reservationId: string;
}

/** The possible sale, in the form that caps and prices need. */
export const offerOf = ({ task, terms, further }: Reserved): Offer => ({
  plan: task.plan,
  supplier: task.supplier,
  terms,
  further,
  isTest: task.lead.is_test,
});

/** The windows of its reservations, in the form of its row. */
export const windowsOf = ({ keys, apart }: Pick<Reserved, 'keys' | 'apart'>): RowWindows => ({
  reserved: keys,
  reserved_apart: apart,
});

/** A task whose request may be, or has been, written. */
export interface Attempt extends Reserved {
  row: DeliveryDoc;
  /** Until when the request may be written, in milliseconds of the monotonic clock. */
  sendBy: number;
}

export interface Answered extends Omit<Attempt, 'sendBy'> {
  verdict: DeliveryVerdict;
  latencyMs: number;
  excerpt?: string;
}

/** A run's right to act on its leads. */
export interface Lease {
  /** The id of the run. */
  id: string;
  /** On the monotonic clock (`clock.monotonic()`); the wall-clock time is stored on the leads. */
  validUntilMs: number;
  /** The subscriptions to events about its leads; absent: each change reads them. */
  subscriptions?: ReturnType<LeadStore['readSubscriptions']>;
}
