/** The endpoint of a buyer: how leads reach it, its attempts, its secrets and its postbacks. */
import { z } from 'zod';
import { FieldScalar } from '../../../fields/values.js';
import { OverlapHours } from '../../../account/overlapSchema.js';
import {
  CampaignId,
  Cursor,
  InstantText,
  Instant,
  LeadId,
  Named,
  NoInput,
  orNull,
} from './shared.js';

const SecretKind = z.enum(['webhook', 'signing']);

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
export const ListAttempts = {
  input: z.strictObject({
    state: z.enum(ATTEMPT_STATES).optional(),
    lead_id: LeadId.optional(),
    from: InstantText.optional(),
    to: InstantText.optional(),
    cursor: Cursor,
  }),
  output: z.array(BuyerAttempt),
};
/** Sends a waiting delivery at once. */
export const ResendDelivery = {
  input: z.strictObject({ lead_id: LeadId }),
  output: z.object({
    sent: z.number().int(),
    /** Rows whose lead a worker is processing now. */
    busy: z.number().int(),
    attempt: orNull(BuyerAttempt),
  }),
};

const BuyerEndpoint = z.object({
  method: z.enum(['WEBHOOK', 'EMAIL', 'GOOGLE_SHEET', 'STORE']),
  /** For WEBHOOK; the values in its query are hidden. */
  url: z.string().nullable(),
  /** Names as they are, values hidden. */
  headers: z.array(z.string()),
  format: orNull(z.string()),
  timeout_ms: z.number().int(),
  honours_idempotency_key: z.boolean(),
  max_per_second: orNull(z.number()),
  /** For EMAIL. */
  recipients: z.array(z.string()),
  /** Campaigns that differ from these settings. */
  overridden_in: z.array(Named),
  /** `update_endpoint` accepts it: only webhooks can be changed here. */
  can_update: z.boolean(),
  health: z.object({
    state: z.enum(['well', 'failing', 'paused']),
    failures: z.number().int(),
    /** Nothing is sent before then. */
    open_until: orNull(Instant),
    is_held: z.boolean(),
    waiting: z.number().int(),
    unanswered: z.number().int(),
  }),
  secrets: z.object({
    webhook_previous_until: Instant.nullable(),
    signing_previous_until: Instant.nullable(),
  }),
});
export const GetEndpoint = { input: NoInput, output: BuyerEndpoint };
export const UpdateEndpoint = {
  input: z.strictObject({
    /** As get_endpoint shows it, the address stays as it is stored; another one is given whole. */
    url: z.string().trim().min(1).max(2_000),
    /** Absent: as they are. A value of [hidden] keeps the stored one, at the same origin. */
    headers: z.record(z.string().min(1).max(100), z.string().max(2_000)).optional(),
  }),
  output: BuyerEndpoint,
};

/** A made-up lead, sent to this buyer's endpoint alone; it is not stored and costs nothing. */
export const SendTestLead = {
  input: z.strictObject({
    campaign_id: CampaignId,
    /** Shown fields by name, in place of made-up values. */
    fields: z.record(z.string().min(1).max(200), FieldScalar).default({}),
  }),
  output: z.object({
    lead_id: z.string(),
    result: z.enum(['accepted', 'rejected', 'failed', 'unanswered']),
    http_status: orNull(z.number().int()),
    latency_ms: z.number(),
    reason: z.string().nullable(),
    /** The result and its reason, in a sentence. */
    message: z.string(),
    /** The beginning of the answer. */
    answer: orNull(z.string()),
    sent: z.array(z.object({ name: z.string(), value: FieldScalar.nullable() })),
  }),
};

export const RotateSecret = {
  input: z.strictObject({
    secret: SecretKind,
    overlap_hours: OverlapHours,
  }),
  output: z.object({
    kind: SecretKind,
    /** Shown this once. */
    value: z.string(),
    previous_until: orNull(Instant),
  }),
};

export const GetPostbackGuide = {
  input: NoInput,
  output: z.object({
    url: z.string(),
    method: z.literal('POST'),
    /** The header that carries the webhook secret. */
    secret_header: z.string(),
    keys: z.array(z.object({ name: z.string(), type: z.string(), description: z.string() })),
    /** Fields that identify a lead, in addition to its id. */
    match_fields: z.array(z.string()),
    examples: z.array(z.object({ language: z.string(), code: z.string() })),
  }),
};
/** A postback as its endpoint would answer it. */
export const TryPostback = {
  input: z.strictObject({
    body: z.record(z.string().max(200), z.union([FieldScalar, z.null()])),
    /** Records it too; else it is only checked. */
    apply: z.boolean().default(false),
  }),
  output: z.object({
    http_status: z.number().int(),
    answer: z.looseObject({}),
    /** The lead that it identifies. */
    lead_id: z.string().nullable(),
    applied: z.boolean(),
  }),
};
