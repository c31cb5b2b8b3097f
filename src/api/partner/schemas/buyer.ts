/**
 * The inputs and outputs of a buyer's portal. Money is in the currency of the account; days are in its time zone.
 * Every list returns `next_cursor` next to its rows.
 */
import { z } from 'zod';
import { FieldScalar } from '../../../fields/values.js';
import { BUYER_OUTCOMES, SALE_OUTCOMES } from '../../../leads/rules/saleChange.js';
import { RETURN_REASONS } from '../../../outcomes/rules/returnRules.js';
import {
  Amount,
  CampaignId,
  Cursor,
  Day,
  Instant,
  InstantText,
  LeadId,
  LimitLeft,
  Named,
  NoInput,
  orNull,
  SpanInput,
} from './shared.js';
import { BuyerAttempt } from './buyerEndpoint.js';

const Note = z.string().trim().max(2_000);
const Revenue = z.number().min(0).max(1_000_000_000);

// Sales

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
export const ListSales = {
  input: z.strictObject({ ...SalesFilter, cursor: Cursor }),
  output: z.array(SaleRow),
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

const SaleDetail = SaleRow.extend({
  /** When the outcome was reported. */
  outcome_at: orNull(Instant),
  conversion_revenue: Amount.nullable(),
  lead_value: Amount.nullable(),
  note: orNull(z.string()),
  /** Newest first. */
  returns: z.array(SaleReturn),
  /** Why it cannot be returned now, in words; null: it can, while the month has returns left. */
  return_refusal: z.string().nullable(),
  /** The buyer's own deliveries of it, first one first. */
  attempts: z.array(BuyerAttempt),
});
export const GetSale = { input: z.strictObject({ lead_id: LeadId }), output: SaleDetail };

// Outcomes

export const RecordOutcome = {
  input: z.strictObject({
    lead_id: LeadId,
    outcome: z.enum(BUYER_OUTCOMES).optional(),
    conversion_revenue: Revenue.optional(),
    lead_value: Revenue.optional(),
    note: Note.optional(),
  }),
  output: z.object({
    lead_id: z.string(),
    outcome: z.enum(SALE_OUTCOMES).nullable(),
    conversion_revenue: Amount.nullable(),
    lead_value: Amount.nullable(),
    note: z.string().nullable(),
    updated_at: InstantText,
  }),
};

export const OUTCOME_ROWS_MAX = 1_000;
/** Bytes of the file, in UTF-8. */
export const OUTCOME_BYTES_MAX = 1_048_576;
export const ImportOutcomes = {
  input: z.strictObject({
    /** With a head: lead_id, or campaign_id with phone, email or click_id; then outcome and the rest. At most 1,000 rows. */
    csv: z.string().min(1).max(OUTCOME_BYTES_MAX),
    /** Only reports what the result of each row would be. */
    dry_run: z.boolean().default(false),
  }),
  output: z.object({
    rows: z.number().int(),
    done: z.number().int(),
    refused: z.number().int(),
    report: z.array(
      z.object({
        /** Of the file; the head is line 1. */
        line: z.number().int(),
        result: z.enum(['done', 'would_do', 'refused', 'unknown']),
        lead_id: orNull(z.string()),
        /** For a refusal: the column, and its fault. */
        path: orNull(z.string()),
        code: orNull(z.string()),
        message: orNull(z.string()),
      }),
    ),
  }),
};

// Returns

export const ListReturns = {
  input: z.strictObject({
    state: z.enum(['requested', 'accepted', 'rejected']).optional(),
    cursor: Cursor,
  }),
  output: z.array(SaleReturn),
};
export const RequestReturn = {
  input: z.strictObject({
    lead_id: LeadId,
    reason: z.enum(RETURN_REASONS),
    note: Note.nullable().default(null),
  }),
  output: SaleReturn,
};
export const GetReturnAllowance = {
  input: NoInput,
  output: z.object({
    allowed: z.boolean(),
    /** Days since the sale; null: any age. */
    max_age_days: z.number().nullable(),
    auto_accept_hours: z.number().nullable(),
    /** This month and the one before, by when the leads came in. */
    months: z.array(
      z.object({
        /** 2026-11 */
        month: z.string(),
        bought: z.number().int(),
        returned: z.number().int(),
        /** Null: any number. */
        most: orNull(z.number().int()),
        left: z.number().int().nullable(),
        limited_by: orNull(z.enum(['max_per_month', 'max_share_pct'])),
      }),
    ),
  }),
};

// Usage and rates

/** leads: how many. budget: their price. */
const Limit = LimitLeft.extend({ of: z.enum(['leads', 'budget']) });
const Spent = z.object({ leads: z.number().int(), spend: Amount });
export const GetUsage = {
  input: NoInput,
  output: z.object({
    status: z.enum(['active', 'paused']),
    test_mode: z.boolean(),
    /** It was paused here, so that it can be resumed here. */
    can_resume: z.boolean(),
    today: Spent,
    week: Spent,
    month: Spent,
    campaigns: z.array(
      z.object({
        campaign: Named,
        status: z.enum(['active', 'paused']),
        can_resume: z.boolean(),
        /** Only those with a limit. */
        limits: z.array(Limit),
        today: Spent,
        month: Spent,
      }),
    ),
  }),
};

const Rates = z.object({
  /** Deliveries that the buyer answered, or should have. */
  sent: z.number().int(),
  accepted: z.number().int(),
  rejected: z.number().int(),
  unanswered: z.number().int(),
  /** Accepted out of answered, 0 to 1; null without any. */
  acceptance_rate: z.number().nullable(),
  sold: z.number().int(),
  returned: z.number().int(),
  /** Returned out of sold, 0 to 1; null without any. */
  return_rate: z.number().nullable(),
  converted: z.number().int(),
  spend: Amount,
});
export const GetDailyRates = {
  input: SpanInput,
  output: z.object({
    from: Day,
    to: Day,
    totals: Rates,
    /** Every day of the span, oldest first. */
    days: z.array(Rates.extend({ day: Day })),
  }),
};
