/** What a run leaves behind of the time after the sale: what buyers said, what a receiver of events saw, the record. */
import type { BuyerOutcome } from '../../../src/leads/rules/saleChange.js';
import type { Collections } from '../../../src/app/database.js';
import type { EventDeliveryDoc } from '../../../src/automations/store/automationDocs.js';
import type { EventDoc } from '../../../src/events/store/eventDocs.js';
import type { ChangeDoc } from '../../../src/outcomes/store/outcomeDocs.js';
import type { Instant } from '../evidence/evidence.js';

/** One request of a buyer begins: what became of a lead. Its number counts the requests of buyers alone. */
export interface OutcomeAsked {
  kind: 'outcome_asked';
  at: Instant;
  op: number;
  lead_id: string;
  buyer_id: string;
  /** Also the note of the outcome, by which it is told in the record whatever the service makes of keys. */
  key: string;
  outcome: BuyerOutcome;
  /** In currency, as it was sent; null where nothing was said of it. */
  revenue: number | null;
  /** The same key with another body on purpose, after an answer: the only right answer is `conflict`. */
  altered?: boolean;
}

/** What the buyer was told. `conflict`: 409. `not_taken`: 503. `cannot_tell`: 504. `limited`: 429. */
export type OutcomeAnswer =
  'made' | 'conflict' | 'limited' | 'not_taken' | 'cannot_tell' | 'unexpected';

/** It ended: `ok` it is made as it was asked, `fail` it surely is not, `info` nobody can tell. */
export interface OutcomeTold {
  kind: 'outcome_told';
  at: Instant;
  op: number;
  result: 'ok' | 'fail' | 'info';
  /** Null where no answer came. */
  answer: OutcomeAnswer | null;
  status: number | null;
  replayed: boolean;
  /** What the answer says of the sale. */
  outcome: string | null;
  error?: string;
}

/** The kinds of events that the receiver is told of, by an automation for each. */
export const ANNOUNCED = [
  'lead.created',
  'lead.accepted',
  'lead.unmatched',
  'lead.outcome',
] as const;

/** An automation that tells the receiver of one kind of event. */
export interface AutomationFacts {
  automation_id: string;
  campaign_id: string;
  trigger: (typeof ANNOUNCED)[number];
}

/**
 * One request to the receiver of events, on its disk before it was answered. A status of 2xx was said or, where the
 * answer was cut on purpose, would have been: the receiver has the event.
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

/** What the record has of it. */
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
