/** The consent records of leads that came from funnels. */
import { AppError } from '../lib/errors.js';
import type { FunnelContext } from './funnels.js';
import type { ConsentDoc } from './store/funnelDocs.js';

/**
 * What the visitor behind a lead agreed to. The lead names its record from its first write on, so it is found even when
 * the record does not name its lead yet.
 * @throws {AppError} `not_found` for a lead that the organization does not have, or that came from no funnel
 */
export async function findConsent(
  { collections, orgId }: Pick<FunnelContext, 'collections' | 'orgId'>,
  leadId: string,
): Promise<ConsentDoc> {
  const { leads, consents } = collections;
  const naming = await consents.findOne({ lead_id: leadId, org_id: orgId });
  if (naming) return naming;
  const lead = await leads.findOne({ _id: leadId, org_id: orgId }, { projection: { origin: 1 } });
  if (!lead) throw new AppError('not_found', `There is no lead ${leadId}.`);
  const named =
    lead.origin && (await consents.findOne({ _id: lead.origin.consent_id, org_id: orgId }));
  if (named) return named;
  throw new AppError(
    'not_found',
    `There is no consent record of the lead ${leadId}: it did not come from a funnel.`,
  );
}
