/**
 * Seals the values of one stored record as they are sealed today; a value that another process changes meanwhile is left
 * to the next pass. Each function returns 1 where it had one to seal, else 0.
 */
import type { Collection } from 'mongodb';
import type { Keyring } from '../../platform/security/seal.js';
import type { SealedPlace, SealedValue } from '../../platform/security/sealedValue.js';
import { sealed, replaceSealed, type SealedChange } from '../../platform/mongo/resealing.js';
import { sealSettings } from '../buyers/sealedHeaders.js';
import {
  automationHeadersPlace,
  automationSecretPlace,
  automationUrlPlace,
  signingSecretPlace,
  supplierKeyPlace,
  webhookSecretPlace,
} from '../rules/sealedPlaces.js';
import type { StoredHeaders } from '../rules/deliverySettings.js';
import type { BuyerDoc, CampaignBuyerDoc, SupplierDoc } from '../store/accountDocs.js';
import type { AutomationDoc } from '../store/automationDocs.js';
import type { Plan } from '../rules/plan.js';

type Sealing = Pick<Keyring, 'sealEqual' | 'reseal'>;

type Secrets = Pick<BuyerDoc, 'webhook_secret'>;
type Signing = Partial<Pick<Plan['buyers'][number], 'signing_secret' | 'previous_signing'>>;

export const sealBuyer = (
  buyers: Collection<BuyerDoc>,
  buyer: Pick<BuyerDoc, '_id' | 'delivery' | 'ping'> & Partial<Secrets> & Signing,
  keyring: Sealing,
): Promise<number> =>
  replaceSealed(buyers, buyer._id, [
    ...headersOf('delivery', buyer.delivery, buyer._id, keyring),
    ...headersOf('ping', buyer.ping, buyer._id, keyring),
    ...sealed('webhook_secret', buyer.webhook_secret, webhookSecretPlace(buyer._id), keyring),
    ...signingOf('', buyer, buyer._id, keyring),
  ]);

export const sealLink = (
  links: Collection<CampaignBuyerDoc>,
  { _id, buyer_id, delivery }: Pick<CampaignBuyerDoc, '_id' | 'buyer_id' | 'delivery'>,
  keyring: Sealing,
): Promise<number> => replaceSealed(links, _id, headersOf('delivery', delivery, buyer_id, keyring));

export const sealSupplier = (
  suppliers: Collection<SupplierDoc>,
  { _id, api_key }: Pick<SupplierDoc, '_id' | 'api_key'>,
  keyring: Sealing,
): Promise<number> =>
  replaceSealed(suppliers, _id, sealed('api_key', api_key, supplierKeyPlace(_id), keyring));

export const sealAutomation = (
  automations: Collection<AutomationDoc>,
  automation: AutomationDoc,
  keyring: Sealing,
): Promise<number> => {
  const { _id, secret, previous_secret: previous } = automation;
  const place = automationSecretPlace(_id);
  return replaceSealed(automations, _id, [
    ...sealed('secret', secret, place, keyring),
    ...sealed('previous_secret.secret', previous?.secret, place, keyring),
    ...targetOf(automation, keyring),
  ]);
};

function targetOf({ _id, ...stored }: AutomationDoc, keyring: Sealing): SealedChange[] {
  if (stored.action === 'SLACK')
    return sealed('target.url', stored.target.url, automationUrlPlace(_id), keyring);
  if (stored.action !== 'WEBHOOK') return [];
  return sealed('target.headers', stored.target.headers, automationHeadersPlace(_id), keyring);
}

/** What is sealed decides no lead, so a plan decides as it did. Packed lists stay packed. */
export const sealStoredPlan = (
  plans: Collection<Plan>,
  { _id, buyers }: Pick<Plan, '_id' | 'buyers'>,
  keyring: Sealing,
): Promise<number> =>
  replaceSealed(
    plans,
    _id,
    buyers.flatMap((terms, index) => [
      ...headersOf(`buyers.${index}.delivery`, terms.delivery, terms.buyer_id, keyring),
      ...headersOf(`buyers.${index}.ping`, terms.ping, terms.buyer_id, keyring),
      ...signingOf(`buyers.${index}.`, terms, terms.buyer_id, keyring),
    ]),
  );

function signingOf(
  prefix: string,
  { signing_secret: secret, previous_signing: previous }: Signing,
  buyerId: string,
  keyring: Sealing,
): SealedChange[] {
  const place: SealedPlace = signingSecretPlace(buyerId);
  const before: SealedValue | undefined = previous?.secret;
  return [
    ...sealed(`${prefix}signing_secret`, secret, place, keyring),
    ...sealed(`${prefix}previous_signing.secret`, before, place, keyring),
  ];
}

/** Headers are replaced as a whole: their names may have dots. Empty where all are sealed as they are today. */
function headersOf(
  path: string,
  settings: object | null | undefined,
  buyerId: string,
  keyring: Sealing,
): SealedChange[] {
  if (!settings) return [];
  const after = sealSettings(settings, buyerId, keyring);
  if (after === settings) return [];
  const [from, to] = [settings, after].map((one) => (one as { headers: StoredHeaders }).headers);
  return [{ path: `${path}.headers`, from, to }];
}
