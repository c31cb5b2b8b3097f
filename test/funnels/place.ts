/** An organization with a campaign and a supplier, for tests of funnels. */
import { randomUUID } from 'node:crypto';
import { createCampaign, type CampaignInput } from '../../src/account/campaigns/campaigns.js';
import { linkSupplier } from '../../src/account/links/supplierLinks.js';
import { createSupplier } from '../../src/account/suppliers/suppliers.js';
import type { Collections } from '../../src/app/database.js';
import { createFunnel, type FunnelContext, type NewFunnel } from '../../src/funnels/funnels.js';
import { systemClock } from '../../src/lib/clock.js';
import { accountOf, makeOrg } from '../support/org.js';

export const funnelContext = (collections: Collections, orgId: string): FunnelContext => ({
  collections,
  orgId,
  clock: systemClock,
  funnels: { ownOrigin: false },
});
export const ADA = { kind: 'person', id: 'per_ada', name: 'Ada' } as const;

const LOAN = {
  name: 'loan_amount',
  type: 'Number',
  required: false,
  ping_required: false,
} as const;

/** Its campaign has an optional field loan_amount. */
export async function funnelPlace(collections: Collections, campaign: Partial<CampaignInput> = {}) {
  const mark = randomUUID().slice(0, 8);
  const { _id: orgId } = await makeOrg(collections, `Org ${mark}`);
  const { _id: campaign_id } = await createCampaign(accountOf({ collections }, orgId), {
    name: `Loans ${mark}`,
    status: 'ACTIVE',
    fields: [LOAN],
    ...campaign,
  });
  const { supplier } = await createSupplier(accountOf({ collections }, orgId), { name: 'Search' });
  const linked = { campaign_id, supplier_id: supplier._id };
  await linkSupplier(accountOf({ collections }, orgId), { ...linked }, {});
  return {
    orgId,
    linked,
    loan: LOAN,
    /** A draft from the lead form template. */
    draft: async (more: Partial<NewFunnel> = {}) => {
      const wanted = { template: 'lead_form', ...linked, ...more } as const;
      return (await createFunnel(funnelContext(collections, orgId), wanted)).funnel;
    },
  };
}
