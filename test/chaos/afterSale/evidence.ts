/** A run's evidence of the time after the sale: the outcomes of buyers, the receiver's journal, the record. */
import type { BuyerOutcome } from '../../../src/leads/rules/saleChange.js';
import type { Collections } from '../../../src/app/database.js';
import type { EventDeliveryDoc } from '../../../src/automations/store/automationDocs.js';
import type { EventDoc } from '../../../src/events/store/eventDocs.js';
import type { ChangeDoc } from '../../../src/outcomes/store/outcomeDocs.js';
import type { Instant } from '../evidence/evidence.js';

/** One request of a buyer begins: it reports an outcome. Its number counts only the requests of buyers. */
export interface OutcomeAsked {
  kind: 'outcome_asked';
  at: Instant;
  op: number;
  lead_id: string;
  buyer_id: string;
  /** Also the note of the outcome: it identifies the outcome in the record, however the service treats keys. */
  key: string;
  outcome: BuyerOutcome;
  /** In currency units, as sent; null when the report names none. */
  revenue: number | null;
  /** The same key with another body on purpose, after an answer: the only right answer is `conflict`. */
  altered?: boolean;
}

/** The answer to the buyer. `conflict`: 409. `not_taken`: 503. `cannot_tell`: 504. `limited`: 429. */
export type OutcomeAnswer =
  'made' | 'conflict' | 'limited' | 'not_taken' | 'cannot_tell' | 'unexpected';

/** The request ended: `ok` it is recorded as sent, `fail` it certainly is not, `info` the result is unknown. */
export interface OutcomeTold {
  kind: 'outcome_told';
  at: Instant;
  op: number;
  result: 'ok' | 'fail' | 'info';
  /** Null where no answer came. */
  answer: OutcomeAnswer | null;
  status: number | null;
  replayed: boolean;
  /** The sale's outcome in the answer. */
  outcome: string | null;
  error?: string;
}

/** The event types that the receiver gets, each by an automation of its own. */
export const ANNOUNCED = [
  'lead.created',
  'lead.accepted',
  'lead.unmatched',
  'lead.outcome',
] as const;

/** An automation that sends one event type to the receiver. */
export interface AutomationFacts {
  automation_id: string;
  campaign_id: string;
  trigger: (typeof ANNOUNCED)[number];
}

/**
 * One request to the receiver of events, on its disk before it was answered. With a 2xx status, sent or, where the
 * answer was cut on purpose, intended, the receiver has the event.
 */
export interface ReceivedLine {
  at: Instant;
  automation_id: string;
  event_id: string;
  type: string;
  lead_id: string;
  status: number;
  /** Closed before the answer was written. */
  cut: boolean;
  /** SHA-256 of the body. */
  body: string;
  /** What is wrong with the request: never expected. */
  flaw?: string;
}

export interface AfterTheSale {
  automations: AutomationFacts[];
  received: ReceivedLine[];
  outcomes: ChangeDoc[];
  events: EventDoc[];
  eventDeliveries: EventDeliveryDoc[];
}

export const nothingAfter = (): AfterTheSale => ({
  automations: [],
  received: [],
  outcomes: [],
  events: [],
  eventDeliveries: [],
});

/** The events, deliveries and outcomes on record. */
export async function readAfter({
  outcomes,
  events,
  eventDeliveries,
}: Collections): Promise<Omit<AfterTheSale, 'automations' | 'received'>> {
  const [made, told, deliveries] = await Promise.all([
    outcomes.find().toArray(),
    events.find({ type: /^lead\./ }).toArray(),
    eventDeliveries.find().toArray(),
  ]);
  return { outcomes: made, events: told, eventDeliveries: deliveries };
}
