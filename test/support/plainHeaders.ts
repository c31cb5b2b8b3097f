import type { Keyring } from '../../src/platform/security/seal.js';
import { openHeaders } from '../../src/account/buyers/sealedHeaders.js';
import type { StoredHeaders } from '../../src/account/rules/deliverySettings.js';
import type { Collections } from '../../src/app/database.js';

/** Rewrites what is stored as the previous release stored it: header values in plain text, in plans too. */
export async function storeAsBefore(
  { buyers, campaignBuyers, plans }: Collections,
  keyring: Keyring,
): Promise<void> {
  const plain = <T extends object>(settings: T): T => {
    const { headers } = settings as { headers?: StoredHeaders };
    return headers ? { ...settings, headers: openHeaders(headers, keyring) } : settings;
  };
  for (const { _id, delivery, ping } of await buyers.find().toArray())
    await buyers.updateOne(
      { _id },
      { $set: { delivery: plain(delivery), ...(ping ? { ping: plain(ping) } : {}) } },
    );
  for (const { _id, delivery } of await campaignBuyers.find().toArray())
    if (delivery) await campaignBuyers.updateOne({ _id }, { $set: { delivery: plain(delivery) } });
  for (const plan of await plans.find().toArray()) {
    const terms = plan.buyers.map(({ delivery, ping, ...others }) => ({
      ...others,
      delivery: plain(delivery),
      ...(ping ? { ping: plain(ping) } : {}),
    }));
    await plans.updateOne({ _id: plan._id }, { $set: { buyers: terms } });
  }
}
