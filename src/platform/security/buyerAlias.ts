/** Ids that stand for buyers where a campaign does not reveal them to its suppliers (contract 5.2). */
import type { Keyring } from './seal.js';

/** The same for a supplier in every ping, answer and lookup of a campaign; meaningless to any other supplier. */
export const buyerAlias = (
  keyring: Pick<Keyring, 'claimHash'>,
  ids: { campaign_id: string; supplier_id: string; buyer_id: string },
): string =>
  `b_${keyring.claimHash(JSON.stringify(['buyer', ids.campaign_id, ids.supplier_id, ids.buyer_id]))}`;
