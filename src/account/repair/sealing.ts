/** Seals the headers of one stored record; a record that another process changes meanwhile is left to the next pass. */
import type { Collection } from 'mongodb';
import type { Keyring } from '../../platform/security/seal.js';
import { sealSettings } from '../buyers/sealedHeaders.js';
import type { StoredHeaders } from '../rules/deliverySettings.js';
import type { BuyerDoc, CampaignBuyerDoc } from '../store/accountDocs.js';
import type { Plan } from '../rules/plan.js';

type Sealing = Pick<Keyring, 'sealEqual'>;

/** Returns 1 where it had plain text, else 0; so do the other functions here. */
export const sealBuyer = (
  buyers: Collection<BuyerDoc>,
  { _id, delivery, ping }: Pick<BuyerDoc, '_id' | 'delivery' | 'ping'>,
  keyring: Sealing,
): Promise<number> =>
  replace(buyers, _id, [
    ...sealed('delivery', delivery, _id, keyring),
    ...sealed('ping', ping, _id, keyring),
  ]);

export const sealLink = (
  links: Collection<CampaignBuyerDoc>,
  { _id, buyer_id, delivery }: Pick<CampaignBuyerDoc, '_id' | 'buyer_id' | 'delivery'>,
  keyring: Sealing,
): Promise<number> => replace(links, _id, sealed('delivery', delivery, buyer_id, keyring));

/** Headers decide no lead, so a plan with sealed ones decides as it did. Packed lists stay packed. */
export const sealStoredPlan = (
  plans: Collection<Plan>,
  { _id, buyers }: Pick<Plan, '_id' | 'buyers'>,
  keyring: Sealing,
): Promise<number> =>
  replace(
    plans,
    _id,
    buyers.flatMap(({ buyer_id, delivery, ping }, index) => [
      ...sealed(`buyers.${index}.delivery`, delivery, buyer_id, keyring),
      ...sealed(`buyers.${index}.ping`, ping, buyer_id, keyring),
    ]),
  );

interface Change {
  path: string;
  from: StoredHeaders;
  to: StoredHeaders;
}

/** Empty where no value is plain text. */
function sealed(
  path: string,
  settings: object | null | undefined,
  buyerId: string,
  keyring: Sealing,
): Change[] {
  if (!settings) return [];
  const after = sealSettings(settings, buyerId, keyring);
  if (after === settings) return [];
  const [from, to] = [headersOf(settings), headersOf(after)];
  return [{ path: `${path}.headers`, from, to }];
}

const headersOf = (settings: object): StoredHeaders =>
  (settings as { headers: StoredHeaders }).headers;

async function replace<T extends { _id: string }>(
  records: Collection<T>,
  _id: string,
  changes: readonly Change[],
): Promise<number> {
  if (changes.length === 0) return 0;
  const seen: [string, unknown][] = changes.map(({ path, from }) => [path, { $eq: from }]);
  const sealedNow: [string, unknown][] = changes.map(({ path, to }) => [path, to]);
  const filter: object = { _id, ...Object.fromEntries(seen) };
  const update: object = { $set: Object.fromEntries(sealedNow) };
  const { modifiedCount } = await records.updateOne(filter, update);
  return modifiedCount;
}
