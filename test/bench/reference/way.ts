/**
 * The path of one lead, step by step, in plain code: the plain service awaits it, and the workflow per lead runs it in
 * its activity. Its input and output are JSON, so that they can go through Temporal.
 */
import type { DeliveryVerdict } from '../../../src/deliveries/rules/delivery.js';
import type { TrailEntry } from '../../../src/leads/rules/trail.js';
import type { LeadStatus } from '../../../src/leads/rules/leadStatus.js';
import type { Fields } from '../../../src/fields/values.js';
import type { FieldError } from '../../../src/lib/errors.js';

export type Body = Record<string, unknown>;

/** What later steps know about a lead. */
export interface KnownLead {
  id: string;
  supplier_id: string;
  fields: Fields;
  extra: Fields;
  /** ISO 8601. */
  created_at: string;
}

export type Validated = { lead: KnownLead } | { errors: FieldError[] };

/** Best buyer first. A lead that did not pass is `rejected`, and has none. */
export interface Filtered {
  rejected: boolean;
  buyerIds: string[];
  trail: TrailEntry[];
}

/** One buyer that was asked, and its answer. */
export interface Attempt {
  buyerId: string;
  /** From 1. */
  n: number;
  /** ISO 8601. */
  askedAt: string;
  latencyMs: number;
  verdict: DeliveryVerdict;
}

/** The result of a lead, and the steps to it. */
export interface Ending {
  status: Extract<LeadStatus, 'ACCEPTED' | 'UNMATCHED' | 'DUPLICATE' | 'REJECTED'>;
  trail: TrailEntry[];
  attempts: Attempt[];
  duplicateOf?: string | undefined;
}

export interface Steps {
  /** Reads the fields and stores the lead. */
  validate(id: string, body: Body): Promise<Validated>;
  /** Applies the filters, and returns the buyers that may get the lead. */
  filter(lead: KnownLead): Promise<Filtered>;
  /** Claims the values that no other lead may have. Returns the lead that has them already, or null. */
  dedupe(lead: KnownLead): Promise<string | null>;
  /** Takes a slot of the best buyer that has room; null when none has. */
  route(buyerIds: readonly string[]): Promise<string | null>;
  /** Posts the lead to the buyer. */
  deliver(lead: KnownLead, buyerId: string, n: number): Promise<Attempt>;
  /** Releases the slot of a buyer that did not accept the lead. */
  giveBack(buyerId: string): Promise<void>;
  /** Records the lead's result, and each attempt. */
  record(lead: KnownLead, ending: Ending): Promise<void>;
}

/** The answer to the supplier. */
export type Outcome = { errors: FieldError[] } | Pick<Ending, 'status' | 'attempts'>;

export async function goItsWay(steps: Steps, id: string, body: Body): Promise<Outcome> {
  const validated = await steps.validate(id, body);
  if ('errors' in validated) return validated;
  const { lead } = validated;
  const { rejected, buyerIds, trail } = await steps.filter(lead);
  const attempts: Attempt[] = [];
  const end = async (status: Ending['status'], duplicateOf?: string): Promise<Outcome> => {
    await steps.record(lead, { status, trail, attempts, duplicateOf });
    return { status, attempts };
  };
  if (rejected) return end('REJECTED');
  const earlier = await steps.dedupe(lead);
  if (earlier !== null) return end('DUPLICATE', earlier);
  for (let left = buyerIds; ;) {
    const buyerId = await steps.route(left);
    if (buyerId === null) return end('UNMATCHED');
    const attempt = await steps.deliver(lead, buyerId, attempts.length + 1);
    attempts.push(attempt);
    if (attempt.verdict.result === 'accepted') return end('ACCEPTED');
    await steps.giveBack(buyerId);
    left = left.slice(left.indexOf(buyerId) + 1);
  }
}
