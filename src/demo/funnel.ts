/** The demo funnel: published once per database, and left as it is ever after. */
import type { Collections } from '../app/database.js';
import { createFunnel, type FunnelDeps } from '../funnels/funnels.js';
import { publishFunnel } from '../funnels/publish.js';
import type { FunnelDoc } from '../funnels/store/funnelDocs.js';
import { AppError } from '../lib/errors.js';
import type { DemoAccount } from './account.js';
import { findOrCreate } from './findOrCreate.js';
import { DEMO_FUNNEL, DEMO_ORG_ID } from './names.js';

const ACTOR = { kind: 'key', id: 'demo', name: 'leadwire up --demo' } as const;

type Linked = Pick<DemoAccount, 'campaigns' | 'suppliers'>;

/**
 * Its leads go to the direct-post campaign in the name of the first supplier.
 * @returns the end of its address; null: an operator has taken it offline, or changed the account so that it cannot be made
 */
export async function ensureDemoFunnel(
  { collections, clock }: { collections: Collections } & Pick<FunnelDeps, 'clock'>,
  account: Linked,
): Promise<string | null> {
  // It has no HTML of its own, and needs no origin of its own.
  const deps = { clock, ownOrigin: false };
  try {
    const { _id, status, slug } = await findOrCreate(
      () => collections.funnels.findOne({ org_id: DEMO_ORG_ID, name: DEMO_FUNNEL }),
      () => create(collections, account, deps),
    );
    if (status === 'unpublished') return null;
    if (status === 'draft') await publishFunnel(collections, DEMO_ORG_ID, _id, ACTOR, deps);
    return slug;
  } catch (error) {
    if (error instanceof AppError && error.status < 500) return null;
    throw error;
  }
}

async function create(
  collections: Collections,
  { campaigns, suppliers }: Linked,
  deps: FunnelDeps,
): Promise<FunnelDoc> {
  const input = {
    template: 'quiz',
    campaign_id: campaigns.direct,
    supplier_id: suppliers.web.id,
    name: DEMO_FUNNEL,
  } as const;
  const { funnel } = await createFunnel(collections, DEMO_ORG_ID, input, deps);
  return funnel;
}
