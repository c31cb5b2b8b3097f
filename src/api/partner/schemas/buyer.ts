/** What several calls of a buyer's portal take and return. */
import { z } from 'zod';
import { FieldScalar } from '../../../fields/values.js';
import { SALE_OUTCOMES } from '../../../leads/rules/saleChange.js';
import { RETURN_REASONS } from '../../../outcomes/rules/returnRules.js';
import { Amount, CampaignId, Day, Instant, Named, orNull } from './shared.js';

export const Note = z.string().trim().max(2_000);

const SALE_STATUSES = ['sold', 'return_requested', 'returned'] as const;
const Field = z.object({ name: z.string(), label: z.string(), value: FieldScalar });

export const SaleRow = z.object({
  lead_id: z.string(),
  campaign: Named,
  /** When the lead came in: lists are in this order. */
  received_at: Instant,
  sold_at: Instant,
  is_test: z.boolean(),
  status: z.enum(SALE_STATUSES),
  /** Null: none was reported. */
  outcome: orNull(z.enum(SALE_OUTCOMES)),
  /** As agreed at the sale. */
  price: Amount,
  /** The buyer's present cost: nothing once it is returned; the conversion where that is what the buyer pays for. */
  charged: Amount,
  /** The fields that lists show, out of those that the portal shows. */
  fields: z.array(Field),
  /** The data of the person was deleted. */
  is_erased: z.boolean(),
});

/** What identifies the sales, in lists and in `leads.csv`. */
export const SalesFilter = {
  /** A phone, an email, a name, or the id of a lead or its first characters. */
  search: z.string().trim().min(1).max(200).optional(),
  /** Received on this day or later. */
  from: Day.optional(),
  /** Received on this day or earlier. */
  to: Day.optional(),
  campaign_id: CampaignId.optional(),
  status: z.enum(SALE_STATUSES).optional(),
  /** `none`: none was reported. */
  outcome: z.enum([...SALE_OUTCOMES, 'none']).optional(),
  is_test: z.boolean().default(false),
};

export const SaleReturn = z.object({
  id: z.string(),
  lead_id: z.string(),
  campaign: Named,
  reason: z.enum(RETURN_REASONS),
  note: z.string().nullable(),
  state: z.enum(['requested', 'accepted', 'rejected']),
  requested_at: Instant,
  /** When it is accepted automatically, if it is still undecided. */
  auto_accept_at: orNull(Instant),
  resolved_at: orNull(Instant),
  resolution_note: orNull(z.string()),
});

export const ATTEMPT_STATES = [
  ...(['accepted', 'rejected', 'failed', 'waiting', 'unanswered'] as const),
  ...(['abandoned', 'expired'] as const),
] as const;

export const BuyerAttempt = z.object({
  id: z.string(),
  lead_id: z.string(),
  campaign: Named,
  created_at: Instant,
  settled_at: orNull(Instant),
  state: z.enum(ATTEMPT_STATES),
  /** How often it was sent. */
  tries: z.number().int(),
  http_status: orNull(z.number().int()),
  latency_ms: orNull(z.number()),
  /** A code, such as timeout. */
  reason: orNull(z.string()),
  /** The buyer's own name for the lead. */
  reference: orNull(z.string()),
  /** The beginning of the answer; values of hidden fields in it are masked. */
  answer: orNull(z.string()),
  /** What was sent: the shown fields by name, with values where the buyer bought the lead. */
  request: z.array(z.object({ name: z.string(), value: FieldScalar.nullable() })),
  /** For a delivery that waits to be sent again: not before this. */
  due_at: orNull(Instant),
  /** The operator has put it on hold. */
  is_held: z.boolean(),
  /** `resend_delivery` accepts it now. */
  can_resend: z.boolean(),
});
