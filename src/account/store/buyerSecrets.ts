/** Which buyer a webhook secret belongs to. */
import type { Collection } from 'mongodb';
import type { RateLimit } from '../../platform/rateLimits/store/rateDoc.js';
import type { BuyerDoc } from './accountDocs.js';

export interface SecretOwner {
  org_id: string;
  buyer_id: string;
  name: string;
  /** Limit of its postbacks; absent: the default. */
  rate_limit?: RateLimit;
  /** When the secret expires, if it was replaced. */
  until?: Date;
}

/** @param hash SHA-256 of the secret, hex. Timing the comparison of hashes reveals nothing about a secret. */
export async function findBySecret(
  buyers: Collection<BuyerDoc>,
  hash: string,
): Promise<SecretOwner | null> {
  const buyer = await buyers.findOne(
    { $or: [{ webhook_secret_hash: hash }, { 'previous_webhook.hash': hash }] },
    {
      projection: {
        org_id: 1,
        name: 1,
        rate_limit: 1,
        webhook_secret_hash: 1,
        previous_webhook: 1,
      },
    },
  );
  if (!buyer) return null;
  const { _id: buyer_id, org_id, name, rate_limit, webhook_secret_hash, previous_webhook } = buyer;
  const isCurrent = webhook_secret_hash === hash;
  return {
    org_id,
    buyer_id,
    name,
    rate_limit,
    until: isCurrent ? undefined : previous_webhook?.until,
  };
}
