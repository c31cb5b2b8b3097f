/** The buyers of a run, each behind a proxy of its own. */
import { signingSecretPlace } from '../../../src/account/rules/sealedPlaces.js';
import type { seedAccount, SeededCampaign } from '../load/account.js';
import type { BuyerMode } from './behaviors.js';
import type { BuyerSpec } from './buyer.js';
import { startBuyers, type Buyers } from './client.js';
import { buyerName, type CampaignSpecs } from '../load/campaignSpec.js';
import type { Battlefield } from '../faults/nemesis.js';
import { startProxy, type Proxy } from '../faults/proxy.js';

export interface BuyerFleet extends Pick<Battlefield, 'setNetwork' | 'setBuyers'> {
  buyers: Buyers;
  names: string[];
  /** Where the service sends a buyer's leads. */
  urlOf: (name: string) => string;
  /** Tells each buyer its id and secret, so that it notices requests meant for others. */
  introduce(campaigns: readonly SeededCampaign[], where: Where): Promise<void>;
  stop(): Promise<void>;
}

type Where = Parameters<typeof seedAccount>[0];

/** The share of leads that a healthy buyer refuses. */
const REJECTS = 0.03;

/** @param journal path of the buyers' journal */
export async function openBuyerFleet(
  seed: string,
  journal: string,
  specs: CampaignSpecs,
): Promise<BuyerFleet> {
  const residents = residentsOf(specs);
  const names = residents.map(({ name }) => name);
  const buyers = await startBuyers({ seed, journal, buyers: residents });
  const proxies = new Map<string, Proxy>();
  for (const name of names) {
    proxies.set(name, await startProxy({ target: buyers.url(name), seed: `${seed} ${name}` }));
  }
  return {
    names,
    buyers,
    urlOf: (name) => proxies.get(name)?.url ?? '',
    async setNetwork(targets, mode, share) {
      for (const name of targets) await proxies.get(name)?.mode(mode ?? 'pass', share);
    },
    async setBuyers(targets, mode) {
      for (const { name, mode: usual } of residents.filter((one) => targets.includes(one.name))) {
        await buyers.control({ buyer: name, mode: mode ?? usual });
      }
    },
    introduce: (campaigns, where) => introduce(buyers, campaigns, where),
    async stop() {
      await Promise.all([...proxies.values()].map((proxy) => proxy.stop()));
      await buyers.stop();
    },
  };
}

const residentsOf = (specs: CampaignSpecs): (BuyerSpec & { mode: BuyerMode })[] =>
  Object.entries(specs).flatMap(([campaign, { buyers }]) =>
    Object.entries(buyers).map(([name, { honours, flaky, rejects = REJECTS, shares, says }]) => ({
      name: buyerName(campaign, name),
      honoursKeys: honours,
      mode: flaky ? ('flaky' as const) : ('well' as const),
      rejects,
      shares,
      prices: says,
    })),
  );

async function introduce(
  buyers: Buyers,
  campaigns: readonly SeededCampaign[],
  { collections, keyring }: Where,
): Promise<void> {
  const links = campaigns.flatMap(({ facts }) => facts.buyers);
  const docs = await collections.buyers
    .find({ _id: { $in: links.map(({ buyer_id }) => buyer_id) } })
    .toArray();
  const secrets = new Map(
    docs.map((doc) => [doc._id, keyring.open(doc.signing_secret, signingSecretPlace(doc._id))]),
  );
  await buyers.introduce(
    Object.fromEntries(
      links.map(({ name, buyer_id }) => [
        name,
        { buyer_id, signing_secret: secrets.get(buyer_id) },
      ]),
    ),
  );
}
