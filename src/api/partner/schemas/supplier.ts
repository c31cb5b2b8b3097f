/**
 * The inputs and outputs of a supplier's portal. Money is in the currency of the account; days are in its time zone.
 */
import { z } from 'zod';
import { OverlapHours } from '../../../account/overlapSchema.js';
import { GuideView } from '../../actions/schemas/guide.js';
import {
  CampaignId,
  Day,
  Done,
  Instant,
  InstantText,
  LimitLeft,
  Named,
  NoInput,
  orNull,
  SpanInput,
} from './shared.js';
import { SupplierPost, SupplierPostDetail } from './supplierPosts.js';
import { SupplierWebhook } from './supplierWebhook.js';

const Scalar = z.union([z.string().max(10_000), z.number(), z.boolean()]);

// Campaigns, and how to post to them

const SupplierCampaign = z.object({
  id: z.string(),
  name: z.string(),
  vertical: orNull(z.string()),
  /** Whether live posts are accepted now; `campaign_paused`: the operator has paused it. */
  state: z.enum(['open', 'paused', 'supplier_paused', 'campaign_paused']),
  /** The link itself is paused. */
  is_paused: z.boolean(),
  /** It was paused here, so that it can be resumed here; or the supplier can ask the operator to. */
  can_resume: z.boolean(),
  /** A ping comes before each post. */
  is_ping_post: z.boolean(),
  cost_mode: z.enum(['FIXED', 'REVENUE_SHARE', 'NONE']),
  /** The payout of a sold lead; null with another mode. */
  payout_per_lead: z.number().nullable(),
  /** Percent of the price; null with another mode. */
  revenue_share: z.number().nullable(),
});
export const ListCampaigns = {
  input: NoInput,
  output: z.object({
    campaigns: z.array(SupplierCampaign),
    /** The supplier as a whole. */
    supplier: z.object({
      status: z.enum(['active', 'paused']),
      can_resume: z.boolean(),
      test_mode: z.boolean(),
    }),
  }),
};

export const GetPostingGuide = {
  input: z.strictObject({ campaign_id: CampaignId }),
  output: z.object({ guide: GuideView, markdown: z.string() }),
};

// Test console

/** Fields by name; null leaves a field out, and fields that are not named are made up. */
const TestFields = z.record(z.string().min(1).max(200), Scalar.nullable()).default({});

const TestAnswer = z.object({
  /** What was posted. */
  sent: z.record(z.string(), Scalar.nullable()),
  http_status: z.number().int(),
  /** The code of the refusal, or the status. */
  code: z.string(),
  /** The body of the HTTP answer. */
  answer: z.looseObject({}),
  /** The result and its reason, in sentences. */
  message: z.string(),
  /** Every field that was wrong. */
  faults: z.array(z.object({ field: z.string(), code: z.string(), message: z.string() })),
  /** Every rule of the campaign that it did not pass. */
  filters: z.array(z.object({ field: z.string(), message: z.string() })),
  /** The post in the log; null: it was not stored. */
  post_id: z.string().nullable(),
});
export const SendTestPost = {
  input: z.strictObject({
    campaign_id: CampaignId,
    fields: TestFields,
    /** Of an earlier ping, in a ping-post campaign; absent: a test ping is sent first. */
    ping_id: z.string().max(4_000).optional(),
  }),
  output: TestAnswer.extend({
    /** The answer to the ping that was sent first; null: none was sent. */
    ping: z.looseObject({}).nullable(),
  }),
};
export const SendTestPing = {
  input: z.strictObject({ campaign_id: CampaignId, fields: TestFields }),
  output: TestAnswer,
};

// The log of posts

export const ListPosts = {
  input: z.strictObject({
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
    cursor: z.string().max(300).optional(),
  }),
  output: z.array(SupplierPost),
};
export const GetPost = {
  input: z.strictObject({ post_id: z.string().min(1).max(100) }),
  output: SupplierPostDetail,
};

// Payout and pings

const PayoutSums = z.object({
  /** Leads that were stored, including those that filters refused. */
  posts: z.number().int(),
  /** Sold at least once. */
  sold: z.number().int(),
  duplicates: z.number().int(),
  rejected: z.number().int(),
  /** Sold, and returned by a buyer. */
  returned: z.number().int(),
  payout: z.number(),
});
export const GetPayout = {
  input: SpanInput,
  output: z.object({
    from: Day,
    to: Day,
    currency: z.string(),
    totals: PayoutSums,
    /** Every day of the span, oldest first. */
    days: z.array(PayoutSums.extend({ day: Day })),
    campaigns: z.array(PayoutSums.extend({ campaign: Named })),
    /** Days and campaigns with posts, the newest day first; at most 5,000. */
    rows: z.array(PayoutSums.extend({ day: Day, campaign: Named })),
  }),
};

const PingSums = z.object({
  pings: z.number().int(),
  /** Answered with at least one bid. */
  answered: z.number().int(),
  /** Posted with their ping_id. */
  redeemed: z.number().int(),
  /** Redeemed out of answered, 0 to 1; null without any. */
  win_rate: z.number().nullable(),
  /** Best bids on average; null without any. */
  average_bid: z.number().nullable(),
});
export const GetPingStats = {
  input: SpanInput,
  output: z.object({
    from: Day,
    to: Day,
    currency: z.string(),
    totals: PingSums,
    days: z.array(PingSums.extend({ day: Day })),
    campaigns: z.array(PingSums.extend({ campaign: Named })),
  }),
};

// Caps

/** count: leads. budget: their payout. pings: requests. */
const CapLeft = LimitLeft.extend({ of: z.enum(['count', 'budget', 'pings']) });
export const GetCapsLeft = {
  input: NoInput,
  output: z.array(z.object({ campaign: Named, caps: z.array(CapLeft) })),
};

// Keys

const SupplierKey = z.object({
  id: z.string(),
  name: z.string(),
  /** Its first characters; null for a key older than this field. */
  prefix: orNull(z.string()),
  /** main: the one of the posting guide; it can be rotated, but not revoked. */
  kind: z.enum(['main', 'previous', 'additional']),
  created_at: Instant,
  /** The key is refused after this. */
  expires_at: orNull(Instant),
});
/** The key is shown this once. */
const NewSupplierKey = z.object({
  key: SupplierKey,
  api_key: z.string(),
  /** The previous key is accepted until then, too. */
  previous_until: orNull(Instant),
});
const key_id = z.string().min(1).max(100);
export const ListKeys = { input: NoInput, output: z.array(SupplierKey) };
export const CreateKey = {
  input: z.strictObject({ name: z.string().trim().min(1).max(120) }),
  output: NewSupplierKey,
};
export const RotateKey = {
  input: z.strictObject({ key_id, overlap_hours: OverlapHours }),
  output: NewSupplierKey,
};
export const RevokeKey = { input: z.strictObject({ key_id }), output: Done };

// Webhook

export const GetWebhook = { input: NoInput, output: SupplierWebhook.nullable() };
export const SetWebhook = {
  input: z.strictObject({
    url: z.string().trim().min(1).max(2_000),
    /** Absent: as they are. A value of [hidden] keeps the stored one, at the same origin. */
    headers: z.record(z.string().min(1).max(100), z.string().max(2_000)).optional(),
    status: z.enum(['active', 'paused']).default('active'),
  }),
  output: z.object({
    webhook: SupplierWebhook,
    /** The secret that signs its messages, shown this once; null: it has one already. */
    secret: z.string().nullable(),
  }),
};
export const RotateWebhookSecret = {
  input: z.strictObject({ overlap_hours: OverlapHours }),
  output: z.object({ secret: z.string(), previous_until: orNull(Instant) }),
};
export const TestWebhook = {
  input: NoInput,
  output: z.object({
    ok: z.boolean(),
    http_status: orNull(z.number().int()),
    /** Why it did not arrive. */
    reason: z.string().nullable(),
    /** What was sent. */
    sent: z.looseObject({}),
  }),
};
export const RemoveWebhook = { input: NoInput, output: Done };
