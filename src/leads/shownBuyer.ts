/** What a supplier sees instead of a buyer's id where its campaign does not reveal buyers (contract 5.2). */
import { buyerAlias } from '../platform/security/buyerAlias.js';
import type { Keyring } from '../platform/security/seal.js';
import type { Lead } from './rules/lead.js';
import type { LeadPing } from './rules/leadPing.js';

/** The part of a lead that determines how its buyer is shown. */
export type ShownLead = Pick<Lead, 'campaign_id' | 'supplier_id' | 'buyer_id'> & {
  ping?: Pick<LeadPing, 'reveal_buyers'>;
};

/** The buyer of a lead as its supplier may see it; null for none. */
export type ShownBuyer = (lead: ShownLead) => string | null;

export const createShownBuyer =
  (keyring: Pick<Keyring, 'claimHash'>): ShownBuyer =>
  ({ campaign_id, supplier_id, buyer_id, ping }) =>
    buyer_id === null || ping?.reveal_buyers !== false
      ? buyer_id
      : buyerAlias(keyring, { campaign_id, supplier_id, buyer_id });
