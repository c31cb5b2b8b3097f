import { systemClock } from '../../../src/lib/clock.js';
import { createPlanStore } from '../../../src/account/store/plans.js';
import { createAccountCache } from '../../../src/account/access/accountCache.js';
import { createBuyerLeadQueries } from '../../../src/outcomes/postbacks/buyerLeadQueries.js';
import { matchLead } from '../../../src/outcomes/postbacks/match.js';
import { createBuyerLeads } from '../../../src/leads/store/buyerLeads.js';
import { findBySecret } from '../../../src/account/store/buyerSecrets.js';
import { createDeliveryStore } from '../../../src/deliveries/store/deliveries.js';
import { aPlan } from '../../support/builders.js';
import type { TestDatabase } from '../../support/database.js';
import type { Recorder } from './explain.js';

/** Queries of a buyer's postback before anything is changed. */
export async function sendPostbacks(
  { during }: Pick<Recorder, 'during'>,
  collections: TestDatabase['collections'],
): Promise<void> {
  const { buyers } = collections;
  await during('findBySecret', () => findBySecret(buyers, 'secret-7'));
  await during('findBySecret, replaced', () => findBySecret(buyers, 'old-secret-40'));
  await during('findBySecret, of nobody', () => findBySecret(buyers, 'nobody'));
  const accountCache = createAccountCache(
    collections,
    createPlanStore(collections.plans),
    systemClock,
  );
  await during('directory.buyerBySecret', () => accountCache.buyerBySecret('secret-7'));

  const deps = {
    leads: createBuyerLeads(collections.leads),
    deliveries: createDeliveryStore(collections.deliveries),
    accountCache: { plan: () => Promise.resolve({ plan: aPlan(), version: 1 }) },
  };
  const buyer = { org_id: 'lister', buyer_id: 'buyers-0' };
  const refused = (work: Promise<unknown>) => work.catch(() => undefined);
  const buyerLeadQueries = createBuyerLeadQueries({ accountCache, leads: deps.leads });
  await during('matchLead, by id', async () => {
    const asked = { org_id: buyer.org_id, lead_id: MATCHED_LEAD, receivedAt: performance.now() };
    const named = await buyerLeadQueries.submit(asked);
    await refused(matchLead(buyer, { lead_id: MATCHED_LEAD }, named, deps));
  });
  const named = { field: 'phone', value: 'phone' };
  const phone = { field: 'phone', value: '+15550000005', named };
  await during('matchLead, by phone', () =>
    refused(matchLead(buyer, { ...phone, campaign_id: MATCHED_CAMPAIGN }, null, deps)),
  );
  const value = {
    org_id: buyer.org_id,
    campaign_id: MATCHED_CAMPAIGN,
    keys: [`phone:${phone.value}`],
  };
  await during('matchLead, of very many', () => deps.leads.byKeyOf(buyer.buyer_id, value, 1));
}

/** Ids in the form that postbacks send. */
export const MATCHED_LEAD = '2d3f9a60-7a3d-4a53-9a51-0f2b6c9e7d10';
export const MATCHED_CAMPAIGN = '5f3e7c1a-6a0e-4d7b-9f57-0c8f2f1f6a11';
