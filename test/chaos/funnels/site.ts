/** The environment of a proof: the service on its servers, a buyer, and a published funnel. */
import type { Collections } from '../../../src/app/database.js';
import { createAccount } from '../../support/account.js';
import { startFakeBuyer, type FakeBuyer } from '../../support/fakeBuyer.js';
import { openFunnelMaker } from '../../support/funnels.js';
import { openService, type OpenService, type OpenServiceOptions } from '../cluster/openService.js';
import { provenFunnel } from './definition.js';

export interface FunnelSite extends Pick<OpenService, 'roles' | 'repair' | 'stop'> {
  /** Addresses of the funnel: one for each process that serves it. */
  urls: string[];
  collections: Collections;
  buyer: FakeBuyer;
}

const DATABASE = 'chaos_funnels';
const SECRET = 'a secret of 32 characters or more, for funnels';

export async function openSite(options: OpenServiceOptions): Promise<FunnelSite> {
  // A buyer that honors keys: after a kill it may be sent a lead again, and accepts it once.
  const buyer = await startFakeBuyer(undefined, { honorsKey: () => true });
  const undo: (() => Promise<unknown>)[] = [() => buyer.stop()];
  const stop = async (): Promise<void> => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    const service = await openService(options, {
      database: DATABASE,
      secret: SECRET,
      // Each visitor has an IP address of its own.
      settings: { TRUST_PROXY: 'true' },
    });
    undo.push(() => service.stop());
    const { roles, keyring } = service;
    const { collections } = service.store;
    const account = await createAccount(
      { collections, keyring },
      {
        buyers: {
          roofs: { price: 20, delivery: { url: buyer.url, honours_idempotency_key: true } },
        },
      },
    );
    const [first = ''] = service.urls;
    const maker = await openFunnelMaker(first, collections, account);
    const wanted = { name: 'Roofs', slug: 'roofs', definition: provenFunnel };
    const { pathname } = new URL((await maker.publish(wanted)).url);
    const urls = service.urls.map((url) => new URL(pathname, url).href);
    return { urls, collections, buyer, roles, stop, repair: () => service.repair() };
  } catch (error) {
    await stop();
    throw error;
  }
}
