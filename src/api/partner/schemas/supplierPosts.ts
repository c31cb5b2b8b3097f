/** A post as its supplier sees it: the answer it received, and about buyers only what the operator allows. */
import { z } from 'zod';
import { CampaignId, Instant, InstantText, Named, orNull } from './shared.js';

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

/** What identifies posts, in lists and in `posts.csv`. */
export const PostFilter = z.strictObject({
  kind: z.enum(['all', 'lead', 'ping']).default('all'),
  /** Test posts have a list of their own. */
  is_test: z.boolean().default(false),
  campaign_id: CampaignId.optional(),
  /** Only leads with this status now. */
  status: z
    .enum(['ACCEPTED', 'PENDING', 'UNMATCHED', 'DUPLICATE', 'REJECTED', 'EXPIRED'])
    .optional(),
  from: InstantText.optional(),
  to: InstantText.optional(),
});
