/** Which sale a postback or a row of a file identifies. Hidden fields identify no lead. */
import { createDeliveryStore } from '../../../deliveries/store/deliveries.js';
import { createBuyerLeads } from '../../../leads/store/buyerLeads.js';
import type { FieldError } from '../../../lib/errors.js';
import { AppError } from '../../../lib/errors.js';
import { leadIdOf, matchLead, type MatchedLead } from '../../../outcomes/postbacks/match.js';
import { readOutcomeBody, type OutcomeReport } from '../../../outcomes/rules/outcomeBody.js';
import type { PartnerContext } from '../call.js';
import { shownRules } from '../shownFields.js';

export interface MeantChange extends MatchedLead {
  report: OutcomeReport;
}

/**
 * @param isForm numbers are sent as text
 * @throws {AppError} `validation_failed` with every fault, `not_found`, `ambiguous`, as for a postback
 */
export async function readMeantChange(
  body: Record<string, unknown>,
  isForm: boolean,
  context: PartnerContext,
): Promise<MeantChange> {
  const reading = readOutcomeBody(body, isForm);
  if (!reading.ok) throw refusedFields(reading.errors);
  const { meant, report } = reading.body;
  const { collections, org_id, party_id: buyer_id } = context;
  const leads = createBuyerLeads(collections.leads);
  const id = leadIdOf(meant);
  const named = id === undefined ? null : await leads.byId(org_id, id);
  const deps = {
    leads,
    deliveries: createDeliveryStore(collections.deliveries),
    accountCache: { plan: shownPlan(context) },
  };
  return { ...(await matchLead({ org_id, buyer_id }, meant, named, deps)), report };
}

const refusedFields = (field_errors: FieldError[]): AppError =>
  new AppError('validation_failed', field_errors.map(({ message }) => `${message}.`).join(' '), {
    field_errors,
  });

/** Plans of the buyer's own campaigns, with the shown fields alone, so that no answer hints at hidden ones. */
const shownPlan =
  ({ accountCache, collections, settings, party_id }: PartnerContext) =>
  async (orgId: string, campaignId: string) => {
    const _id = `${campaignId}:${party_id}`;
    const link = await collections.campaignBuyers.findOne({ _id, org_id: orgId });
    if (!link) return null;
    await accountCache.refresh([orgId]);
    const current = await accountCache.plan(orgId, campaignId);
    if (!current) return null;
    const { plan } = current;
    return { ...current, plan: { ...plan, fields: shownRules(settings, plan.fields) } };
  };
