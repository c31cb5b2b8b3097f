/**
 * Headers that receivers want in addition to ours hold their keys: the values are stored sealed and opened where the
 * request is made. Plain text that an earlier release stored is read as it is, until `reconcile` has sealed it.
 */
import type { StoredHeaders } from '../rules/deliverySettings.js';
import type { BuyerTerms, Plan } from '../rules/plan.js';
import type { Keyring } from '../../platform/security/seal.js';
import { resealed } from '../../platform/mongo/resealing.js';
import { buyerHeaderPlace, signingSecretPlace } from '../rules/sealedPlaces.js';

/** Seals values as they are sealed today. */
export type Sealing = Pick<Keyring, 'sealEqual' | 'reseal'>;

/** @throws {Error} when a header was sealed under a key that is not configured, or belongs to another buyer */
export function openHeaders(
  headers: StoredHeaders,
  buyerId: string,
  keyring: Pick<Keyring, 'open'>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : keyring.open(value, buyerHeaderPlace(buyerId, name)),
    ]),
  );
}

/**
 * A buyer's settings of any kind with the values of their headers sealed as they are today; the same object where they
 * are. The same value of a buyer is sealed to the same bytes everywhere, so that versions of a plan still compare.
 */
export function sealSettings<T extends object>(settings: T, buyerId: string, keyring: Sealing): T {
  const { headers } = settings as { headers?: StoredHeaders };
  if (!headers) return settings;
  const before = Object.entries(headers);
  const sealed = before.map(([name, value]) => {
    const place = buyerHeaderPlace(buyerId, name);
    const today =
      typeof value === 'string' ? keyring.sealEqual(value, place) : resealed(value, place, keyring);
    return [name, today] as const;
  });
  if (sealed.every(([, value], index) => value === before[index]?.[1])) return settings;
  return { ...settings, headers: Object.fromEntries(sealed) as StoredHeaders };
}

/** The same for all buyers of a plan, and for what signs their leads. */
export function sealPlan(plan: Plan, keyring: Sealing): Plan {
  const buyers = plan.buyers.map((terms) => sealTerms(terms, keyring));
  const isSealed = buyers.every((terms, index) => terms === plan.buyers[index]);
  return isSealed ? plan : { ...plan, buyers };
}

function sealTerms(terms: BuyerTerms, keyring: Sealing): BuyerTerms {
  const { buyer_id, signing_secret, previous_signing: previous } = terms;
  const place = signingSecretPlace(buyer_id);
  const delivery = sealSettings(terms.delivery, buyer_id, keyring);
  const ping = terms.ping && sealSettings(terms.ping, buyer_id, keyring);
  const secret = resealed(signing_secret, place, keyring);
  const before = previous && resealed(previous.secret, place, keyring);
  const isSealed =
    delivery === terms.delivery &&
    ping === terms.ping &&
    secret === signing_secret &&
    (!previous || before === previous.secret);
  if (isSealed) return terms;
  return {
    ...terms,
    delivery,
    ...(ping ? { ping } : {}),
    signing_secret: secret,
    ...(previous && before ? { previous_signing: { ...previous, secret: before } } : {}),
  };
}
