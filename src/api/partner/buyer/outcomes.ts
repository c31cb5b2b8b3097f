/** The outcome of a sale, as its buyer reports it. */
import { z } from 'zod';
import type { OutcomeReport } from '../../../outcomes/rules/outcomeBody.js';
import { outcomeData } from '../../../outcomes/schemas/outcome.js';
import { askHash } from '../../../outcomes/changeId.js';
import {
  type ChangeAuthor,
  BUYER_OUTCOMES,
  SALE_OUTCOMES,
} from '../../../leads/rules/saleChange.js';
import { findSale } from '../../../leads/store/salePages.js';
import { definePartnerCall, type PartnerContext } from '../call.js';
import { Clear, readReport } from '../../actions/outcomeReport.js';
import { notYours } from '../refusals.js';
import { LeadId, Amount, InstantText } from '../schemas/shared.js';
import { Note } from '../schemas/buyer.js';

const Revenue = z.number().min(0).max(1_000_000_000);

export const recordOutcome = definePartnerCall({
  name: 'record_outcome',
  effect: 'write',
  hides: ['note'],
  input: z.strictObject({
    lead_id: LeadId,
    outcome: z.enum(BUYER_OUTCOMES).optional(),
    conversion_revenue: Revenue.optional(),
    lead_value: Revenue.optional(),
    note: Note.optional(),
    clear: Clear,
  }),
  output: z.object({
    lead_id: z.string(),
    outcome: z.enum(SALE_OUTCOMES).nullable(),
    conversion_revenue: Amount.nullable(),
    lead_value: Amount.nullable(),
    note: z.string().nullable(),
    updated_at: InstantText,
  }),
  async run({ lead_id, ...input }, context) {
    const report = readReport(input);
    const { collections, org_id, party_id: buyer_id } = context;
    const sold = await findSale(collections.leads, { org_id, buyer_id, lead_id });
    if (!sold) throw notYours();
    return changeSale({ lead_id, campaign_id: sold.campaign_id }, report, context);
  },
});

interface SaleRef {
  lead_id: string;
  campaign_id: string;
}

/** The sale after the change; the state of the lead as a whole, and reports of other buyers, are left out. */
export async function changeSale(
  { lead_id, campaign_id }: SaleRef,
  report: OutcomeReport,
  context: PartnerContext,
) {
  const { org_id, party_id: buyer_id } = context;
  const made = await context.outcomes.make({
    body_hash: askHash({ report, meant: { lead_id } }),
    org_id,
    campaign_id,
    lead_id,
    buyer_id,
    by: authorOf(context),
    ask: { kind: 'outcome', ...report },
  });
  const data = outcomeData(made);
  return {
    lead_id: data.lead_id,
    outcome: made.answer.outcome,
    conversion_revenue: data.conversion_revenue,
    lead_value: data.lead_value,
    note: data.note,
    updated_at: data.updated_at,
  };
}

export const authorOf = ({ signedIn }: PartnerContext): ChangeAuthor => ({
  kind: 'buyer',
  id: signedIn.person.id,
  name: signedIn.person.name,
});
