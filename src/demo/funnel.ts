/** The demo funnel: published once per database, and left as it is ever after. */
import { createFunnel, type FunnelContext } from '../funnels/funnels.js';
import { publishFunnel } from '../funnels/publish.js';
import { AppError } from '../lib/errors.js';
import { type DemoAccount, findOrCreate } from './account.js';
import { DEMO_FUNNEL, DEMO_ORG_ID } from './names.js';

const ACTOR = { kind: 'key', id: 'demo', name: 'leadwire up --demo' } as const;

type Linked = Pick<DemoAccount, 'campaigns' | 'suppliers'>;

/**
 * Its leads go to the direct-post campaign in the name of the first supplier.
 * @returns the end of its address; null: an operator has taken it offline, or changed the account so that it cannot be made
 */
export async function ensureDemoFunnel(
  { collections, clock }: Pick<FunnelContext, 'collections' | 'clock'>,
  account: Linked,
): Promise<string | null> {
  // It has no HTML of its own, and needs no origin of its own.
  const context = { collections, orgId: DEMO_ORG_ID, clock, funnels: { ownOrigin: false } };
  try {
    const { _id, status, slug } = await findOrCreate(
      () => collections.funnels.findOne({ org_id: DEMO_ORG_ID, name: DEMO_FUNNEL }),
      async () => (await createFunnel(context, inputOf(account))).funnel,
    );
    if (status === 'unpublished') return null;
    if (status === 'draft') await publishFunnel(context, _id, ACTOR);
    return slug;
  } catch (error) {
    if (error instanceof AppError && error.status < 500) return null;
    throw error;
  }
}

const inputOf = ({ campaigns, suppliers }: Linked) => ({
  template: 'quiz' as const,
  campaign_id: campaigns.direct,
  supplier_id: suppliers.web.id,
  name: DEMO_FUNNEL,
});
