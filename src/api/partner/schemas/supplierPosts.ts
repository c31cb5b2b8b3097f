/** A post of a supplier, as it may see it: its own answer, and of buyers only what the operator allows. */
import { z } from 'zod';

const Instant = z.iso.datetime().describe('UTC');

export const SupplierPost = z.object({
  id: z.string(),
  kind: z.enum(['lead', 'ping']),
  at: Instant,
  campaign: z.object({ id: z.string(), name: z.string() }),
  is_test: z.boolean(),
  /** The answer as it was given. */
  answer: z.object({
    http_status: z.number().int(),
    /** ACCEPTED, PENDING, UNMATCHED, DUPLICATE, accepted (a ping), or the code of the refusal. */
    code: z.string(),
  }),
  /** Why, in a sentence; null where the answer says it all. */
  reason: z.string().nullable(),
  /** What it is now: of a lead as lookups return it, of a ping whether it was redeemed. */
  status: z.enum([
    ...(['NEW', 'ACCEPTED', 'PENDING', 'UNMATCHED', 'DUPLICATE', 'REJECTED', 'EXPIRED'] as const),
    ...(['open', 'redeemed', 'expired', 'refused'] as const),
  ]),
  /** The earlier lead, where it is the supplier's own. */
  duplicate_of: z.string().nullable(),
  /** Of a lead: the ping it redeemed, a post of this log. */
  ping_id: z.string().nullable(),
  /** Of a ping: the lead that redeemed it. */
  lead_id: z.string().nullable(),
  /** What it brings the supplier now; of a ping its best bid. Null: nothing. */
  payout: z.number().nullable(),
  /** Only where the operator shows buyers' names; of a lead sold to several the first. */
  buyer_name: z.string().nullable(),
  /** What buyers pay, only where the operator shows prices. */
  price: z.number().nullable(),
});

export const SupplierPostDetail = SupplierPost.extend({
  /** The body of the answer. */
  answer_body: z.looseObject({}),
  decided_at: Instant.nullable(),
  /** When it was promised a later decision. */
  pending_at: Instant.nullable(),
  expires_at: Instant.nullable(),
  /** Every rule of the campaign that it did not pass. */
  filters: z.array(z.object({ field: z.string(), message: z.string() })),
  /** Of a ping: what was bid to the supplier, best first. */
  bids: z.array(z.object({ bid_price: z.number(), buyer_name: z.string().nullable() })),
  /** What the supplier sent, of the fields that the portal shows; null: a ping keeps none. */
  fields: z
    .array(
      z.object({
        name: z.string(),
        label: z.string(),
        value: z.union([z.string(), z.number(), z.boolean()]),
      }),
    )
    .nullable(),
  /** What buyers made of it, where the campaign shares that. */
  outcome: z.string().nullable(),
});
