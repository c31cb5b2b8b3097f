import type { Keyring } from '../../src/platform/security/seal.js';
import { openHeaders } from '../../src/account/buyers/sealedHeaders.js';
import type { StoredHeaders } from '../../src/account/rules/deliverySettings.js';
import type { Collections } from '../../src/app/database.js';

/** Rewrites what is stored as the previous release stored it: header values in plain text, in plans too. */
export async function storeAsBefore(
  { buyers, campaignBuyers, plans }: Collections,
  keyring: Keyring,
): Promise<void> {
  const plain = <T extends object>(settings: T, buyerId: string): T => {
    const { headers } = settings as { headers?: StoredHeaders };
    return headers ? { ...settings, headers: openHeaders(headers, buyerId, keyring) } : settings;
  };
  for (const { _id, delivery, ping } of await buyers.find().toArray())
    await buyers.updateOne(
      { _id },
      { $set: { delivery: plain(delivery, _id), ...(ping ? { ping: plain(ping, _id) } : {}) } },
    );
  for (const { _id, buyer_id, delivery } of await campaignBuyers.find().toArray())
    if (delivery)
      await campaignBuyers.updateOne({ _id }, { $set: { delivery: plain(delivery, buyer_id) } });
  for (const plan of await plans.find().toArray()) {
    const terms = plan.buyers.map(({ delivery, ping, ...others }) => ({
      ...others,
      delivery: plain(delivery, others.buyer_id),
      ...(ping ? { ping: plain(ping, others.buyer_id) } : {}),
    }));
    await plans.updateOne({ _id: plan._id }, { $set: { buyers: terms } });
  }
}
