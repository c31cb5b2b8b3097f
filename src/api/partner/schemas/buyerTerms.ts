/** The terms on which a buyer accepts leads, and the changes that it requests. */
import { z } from 'zod';
import { FieldScalar } from '../../../fields/values.js';
import { pickKeys } from '../../../lib/defined.js';
import { BUYER_LINK } from '../../../account/settings/buyerLinkTerms.js';
import { ASKED_BY_NAME, SEEN } from '../../../account/settings/partnerTerms.js';
import { CampaignId, Cursor, Instant, Named, NoInput, orNull } from './shared.js';

/** Its keys follow from the table, so that their types are not known here. */
const among = (shape: z.ZodRawShape, names: readonly string[]): object => pickKeys(shape, names);

const BuyerTerms = z.object({
  campaign: Named,
  /** By their names; filters are null where they are hidden, too. */
  ...among(BUYER_LINK.whole.view, SEEN),
  status: z.enum(['active', 'paused']),
  can_resume: z.boolean(),
  /** They use a hidden field: they are neither shown nor changed here. */
  filters_hidden: z.boolean(),
  /** The fields that filters may use. */
  fields: z.array(
    z.object({
      name: z.string(),
      label: z.string(),
      type: z.string(),
      allowed_values: orNull(z.array(FieldScalar)),
    }),
  ),
  /** Of the campaign: a requested change refers to it. */
  version: z.number().int(),
});
export const GetTerms = { input: NoInput, output: z.array(BuyerTerms) };

const CHANGE_STATES = ['pending', 'approved', 'refused', 'stale', 'withdrawn'] as const;
export const BuyerChange = z.object({
  id: z.string(),
  /** Null: the buyer as a whole. */
  campaign: Named.nullable(),
  /** The differences, each with the present value and the requested one. */
  changes: z.array(z.object({ name: z.string(), before: z.unknown(), after: z.unknown() })),
  reason: z.string().nullable(),
  state: z.enum(CHANGE_STATES),
  requested_at: Instant,
  requested_by: z.string(),
  resolved_at: orNull(Instant),
  /** The operator's note on it. */
  note: orNull(z.string()),
});
export const RequestChange = {
  input: z.strictObject({
    campaign_id: CampaignId,
    ...among(BUYER_LINK.inFile, ASKED_BY_NAME),
    reason: z.string().trim().max(2_000).nullable().default(null),
    /** `version` of the terms that were shown; a newer one by now is a conflict. */
    version: z.int().optional(),
  }),
  output: BuyerChange,
};
export const ListChanges = {
  input: z.strictObject({ state: z.enum(CHANGE_STATES).optional(), cursor: Cursor }),
  output: z.array(BuyerChange),
};
export const WithdrawChange = {
  input: z.strictObject({ change_id: z.string().min(1).max(100) }),
  output: BuyerChange,
};
