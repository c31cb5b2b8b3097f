/** A post as its supplier sees it: the answer it received, and about buyers only what the operator allows. */
import { z } from 'zod';
import { Instant, Named, orNull } from './shared.js';

export const SupplierPost = z.object({
  id: z.string(),
  kind: z.enum(['lead', 'ping']),
  at: Instant,
  campaign: Named,
  is_test: z.boolean(),
  /** The answer as it was given. */
  answer: z.object({
    http_status: z.number().int(),
    /** ACCEPTED, PENDING, UNMATCHED, DUPLICATE, accepted (a ping), or the code of the refusal. */
    code: z.string(),
  }),
  /** The reason, in a sentence; null where the answer is enough. */
  reason: z.string().nullable(),
  /** Its present status: for a lead as lookups return it, for a ping whether it was redeemed. */
  status: z.enum([
    ...(['NEW', 'ACCEPTED', 'PENDING', 'UNMATCHED', 'DUPLICATE', 'REJECTED', 'EXPIRED'] as const),
    ...(['open', 'redeemed', 'expired', 'refused'] as const),
  ]),
  /** The earlier lead, where this supplier posted it. */
  duplicate_of: orNull(z.string()),
  /** Of a lead: the ping it redeemed, a post of this log. */
  ping_id: orNull(z.string()),
  /** Of a ping: the lead that redeemed it. */
  lead_id: orNull(z.string()),
  /** Its payout now; for a ping, of its best bid. Null: none. */
  payout: z.number().nullable(),
  /** Only where the operator shows buyers' names; for a lead sold to several buyers, the first. */
  buyer_name: z.string().nullable(),
  /** The price that buyers pay, only where the operator shows prices. */
  price: z.number().nullable(),
});

export const SupplierPostDetail = SupplierPost.extend({
  /** The body of the answer. */
  answer_body: z.looseObject({}),
  decided_at: orNull(Instant),
  /** When the answer promised a later decision. */
  pending_at: orNull(Instant),
  expires_at: orNull(Instant),
  /** Every rule of the campaign that it did not pass. */
  filters: z.array(z.object({ field: z.string(), message: z.string() })),
  /** For a ping: the bids shown to the supplier, best first. */
  bids: z.array(z.object({ bid_price: z.number(), buyer_name: z.string().nullable() })),
  /** The fields that the supplier sent, out of those that the portal shows; null: a ping keeps none. */
  fields: orNull(
    z.array(
      z.object({
        name: z.string(),
        label: z.string(),
        value: z.union([z.string(), z.number(), z.boolean()]),
      }),
    ),
  ),
  /** The outcome that buyers reported, where the campaign shares it. */
  outcome: orNull(z.string()),
});
