/**
 * Headers that receivers want in addition to ours hold their keys: the values are stored sealed and opened where the
 * request is made. Plain text that an earlier release stored is read as it is, until `reconcile` has sealed it.
 */
import type { StoredHeaders } from '../rules/deliverySettings.js';
import type { BuyerTerms, Plan } from '../rules/plan.js';
import type { Keyring } from '../../platform/security/seal.js';

type Sealing = Pick<Keyring, 'sealEqual'>;

/** @throws {Error} when a header was sealed under a key that is not configured */
export function openHeaders(
  headers: StoredHeaders,
  keyring: Pick<Keyring, 'open'>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : keyring.open(value),
    ]),
  );
}

/**
 * A buyer's settings of any kind with the values of their headers sealed; the same object where none is plain text.
 * The same value of a buyer is sealed to the same bytes everywhere, so that versions of a plan still compare.
 */
export function sealSettings<T extends object>(settings: T, buyerId: string, keyring: Sealing): T {
  const { headers } = settings as { headers?: StoredHeaders };
  if (!headers || !Object.values(headers).some((value) => typeof value === 'string'))
    return settings;
  const sealed = Object.entries(headers).map(([name, value]) => [
    name,
    typeof value === 'string'
      ? keyring.sealEqual(value, `header ${buyerId} ${name.toLowerCase()}`)
      : value,
  ]);
  return { ...settings, headers: Object.fromEntries(sealed) as StoredHeaders };
}

/** The same for all buyers of a plan. */
export function sealPlan(plan: Plan, keyring: Sealing): Plan {
  const buyers = plan.buyers.map((terms) => sealTerms(terms, keyring));
  const isSealed = buyers.every((terms, index) => terms === plan.buyers[index]);
  return isSealed ? plan : { ...plan, buyers };
}

function sealTerms(terms: BuyerTerms, keyring: Sealing): BuyerTerms {
  const delivery = sealSettings(terms.delivery, terms.buyer_id, keyring);
  const ping = terms.ping && sealSettings(terms.ping, terms.buyer_id, keyring);
  if (delivery === terms.delivery && ping === terms.ping) return terms;
  return { ...terms, delivery, ...(ping ? { ping } : {}) };
}
