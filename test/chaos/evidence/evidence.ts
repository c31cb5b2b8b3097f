/**
 * The evidence of a chaos run: the suppliers' history, the buyers' own journal, and the record read at the
 * end. The service's database is never the only witness.
 */
import type { CapDoc } from '../../../src/routing/store/capDocs.js';
import type { DeliveryDoc } from '../../../src/deliveries/store/deliveryDoc.js';
import type { UnknownPolicy } from '../../../src/account/rules/deliverySettings.js';
import type { DedupeSettings, SupplierTerms } from '../../../src/account/rules/plan.js';
import type { CapLimits } from '../../../src/account/rules/capLimits.js';
import type { Micros } from '../../../src/fields/money.js';
import type { Lead } from '../../../src/leads/rules/lead.js';
import type { AfterTheSale, OutcomeAsked, OutcomeTold } from '../afterSale/evidence.js';

/** Milliseconds since 1970, by the clock of the machine that all processes of a run share. */
export type Instant = number;

/** The answer to a supplier, in the contract's words. */
export type AnswerClass =
  | 'delivered'
  | 'pending'
  | 'unmatched'
  | 'duplicate'
  | 'rejected'
  | 'capped'
  /** 429: over its rate, certainly not accepted. */
  | 'limited'
  /** 503: certainly not accepted. */
  | 'not_taken'
  /** 504: stored, but whether it is accepted is unknown now. */
  | 'cannot_tell'
  /** 422: this Idempotency-Key came with another body. */
  | 'key_reused'
  /** Any other status: never expected. */
  | 'unexpected';

/** One HTTP request of a supplier begins. Sending a lead again is another operation with the same `intent`. */
export interface Invoked {
  kind: 'invoked';
  at: Instant;
  op: number;
  /** The lead as its supplier sees it: every sending of it has the same body, and the same key if any. */
  intent: number;
  /** 1 for the first sending. */
  time: number;
  campaign_id: string;
  supplier_id: string;
  idempotency_key: string | null;
  phone: string;
  email: string;
  /** The same key with another body on purpose: the only right answer is `key_reused`. */
  altered?: boolean;
}

/** It ended: `ok` as `answer` says, `fail` it certainly had no effect, `info` unknown (Jepsen's terms). */
export interface Completed {
  kind: 'completed';
  at: Instant;
  op: number;
  outcome: 'ok' | 'fail' | 'info';
  answer: AnswerClass | null;
  status: number | null;
  lead_id: string | null;
  buyer_id: string | null;
  duplicate_of: string | null;
  replayed: boolean;
  /** What failed, where no answer came. */
  error?: string;
}

/** A fault was injected (`ended` is absent while it lasts). */
export interface Fault {
  kind: 'fault';
  at: Instant;
  ended?: Instant;
  /** `kill`, `stop`, `cut`, `buyer_down`, `delete_temporal`, … */
  type: string;
  /** `api`, `worker`, `delivery`, `temporal`, `mongod`, a buyer's name, `all`. */
  targets: string[];
  detail?: string;
}

/** How often a rare state was seen: one that stays 0 was not tested. */
export interface Seen {
  kind: 'seen';
  state: string;
  count: number;
}

export type HistoryEvent = Invoked | Completed | OutcomeAsked | OutcomeTold | Fault | Seen;

export type BuyerDecision =
  'accepted' | 'rejected' | 'busy' | 'limited' | 'garbage' | 'hung' | 'reset' | 'replayed';

/**
 * One line of the buyers' journal, on disk before anything is answered. A request has one line when it
 * was decided and one when its answer was written out (`answered`) or could not be (`cut`).
 */
export interface JournalLine {
  at: Instant;
  /** Numbers the requests of the run, from 1. */
  request: number;
  step: 'decided' | 'answered' | 'cut';
  buyer_id: string;
  lead_id: string;
  idempotency_key: string;
  /**
   * `accepted`: the buyer has the lead from now on. `replayed`: a buyer that honors keys repeats an earlier
   * acceptance. `busy` (503), `limited` (429), `garbage`, `hung` and `reset` did not accept it by this request,
   * though an earlier one may have been accepted.
   */
  decision: BuyerDecision;
  /** The name of the person on the lead, so that a lead no supplier posted is noticed. */
  email: string;
  /** The price that its answer names; absent where it names none. */
  price?: Micros;
  /** The status of its answer; absent where there is no complete one. */
  status?: number;
  /** The request's own defect (no key, a false signature, …): never expected. Its decision is `garbage`. */
  flaw?: string;
}

/** From `from` on, until just before `to`. */
export interface Span {
  from: Instant;
  to: Instant;
}

export interface BuyerLinkFacts {
  buyer_id: string;
  name: string;
  honours_idempotency_key: boolean;
  on_unknown: UnknownPolicy;
  price: Micros;
  /** Its answers name the price, and the service records that one. */
  names_price: boolean;
  /** Its opening hours, as far as the run can last; null: always open. */
  hours: Span[] | null;
  caps: CapLimits;
}

export interface SupplierLinkFacts {
  supplier_id: string;
  cost_mode: SupplierTerms['cost_mode'];
  /** Per lead, where it is FIXED. */
  cost: Micros;
  /** Percent of each sale's price, where it is REVENUE_SHARE. */
  revenue_share: number;
  caps: CapLimits;
}

export interface CampaignFacts {
  campaign_id: string;
  name: string;
  /** Of its account: cap windows follow it. UTC when absent. */
  time_zone?: string;
  /** Each of these fields alone makes a duplicate; empty: no duplicate check. */
  dedupe_fields: string[];
  on_duplicate: DedupeSettings['on_duplicate'];
  /** How many buyers a lead may be sold to. */
  max_sells: number;
  caps: CapLimits;
  buyers: BuyerLinkFacts[];
  suppliers: SupplierLinkFacts[];
}

/** The record, read after the last fault when all is settled (or when the time for that is over). */
export interface FinalRecord {
  readAt: Instant;
  leads: Lead[];
  deliveries: DeliveryDoc[];
  caps: CapDoc[];
  /** What `reconcile` mended in the whole run, by kind. */
  reconciled: Record<string, number>;
}

/** The plan of a run. */
export interface Aim {
  /** Leads per second, and how long faults go on. */
  rate: number;
  seconds: number;
  kills: number;
  /** All kinds of faults, and all campaigns. */
  whole: boolean;
}

/** A process that ended although the run did not end it. */
export interface ProcessEnd {
  at: Instant;
  name: string;
  /** Whether it had started serving. */
  served: boolean;
}

export interface Evidence {
  seed: string;
  /** Absent where the evidence is not from a whole run. */
  aim?: Aim;
  ends?: ProcessEnd[];
  campaigns: CampaignFacts[];
  history: HistoryEvent[];
  journal: JournalLine[];
  record: FinalRecord;
  after: AfterTheSale;
}

/** The totals of the last line, in its order. */
export type Total =
  | 'lost'
  | 'doubled'
  | 'over cap'
  | 'money off'
  | 'false answers'
  | 'undecided'
  | 'crashed'
  | 'untested';

/** One violation of a rule. */
export interface Violation {
  total: Total;
  /** Which rule found it: `sold_twice`, `answer_not_true`, … */
  rule: string;
  /** One sentence with the values compared. */
  what: string;
  lead_id?: string;
  intent?: number;
}
