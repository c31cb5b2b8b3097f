/**
 * Sealed values of an earlier release, which open anywhere, and values under an older secret: each is sealed again, bound
 * to its place, under the current secret. A value that another process changes meanwhile is left to the next pass.
 */
import { MongoServerError, type Collection } from 'mongodb';
import type { Keyring } from '../../platform/security/seal.js';
import { replaceSealed, sealed, type SealedChange } from '../../platform/mongo/resealing.js';
import { stageOf, type Stage } from '../../platform/mongo/stagedRepair.js';
import type { Log } from '../../lib/log.js';
import { sealSettings, type Sealing } from '../buyers/sealedHeaders.js';
import type { StoredHeaders } from '../rules/deliverySettings.js';
import type { BuyerTerms } from '../rules/plan.js';
import {
  automationHeadersPlace,
  automationSecretPlace,
  automationUrlPlace,
  signingSecretPlace,
  supplierKeyPlace,
  webhookSecretPlace,
} from '../rules/sealedPlaces.js';
import type { BuyerDoc } from '../store/accountDocs.js';
import type { AutomationDoc } from '../store/automationDocs.js';
import type { AccountCollections } from '../store/collections.js';

interface PlanDeps {
  collections: Pick<AccountCollections, 'buyers' | 'campaignBuyers' | 'plans'>;
  keyring: Keyring;
  log: Pick<Log, 'error'>;
}

export interface ResealingDeps extends PlanDeps {
  collections: PlanDeps['collections'] & Pick<AccountCollections, 'suppliers' | 'automations'>;
}

/** All sealed values of the account. */
export const accountStages = (deps: ResealingDeps): Stage[] => {
  const { collections, keyring } = deps;
  const { suppliers, automations } = collections;
  return [
    ...planStages(deps),
    stageOf(suppliers, { api_key: 1 }, ({ _id, api_key }) =>
      replaceSealed(suppliers, _id, sealed('api_key', api_key, supplierKeyPlace(_id), keyring)),
    ),
    stageOf(automations, {}, (automation) =>
      replaceSealed(automations, automation._id, changesOfAutomation(automation, keyring)),
    ),
  ];
};

/**
 * What plans hold. Plans come after the documents they are compiled from: those compiled meanwhile have their values as
 * they are sealed today.
 */
export const planStages = ({ collections, keyring, log }: PlanDeps): Stage[] => {
  const { buyers, campaignBuyers: links, plans } = collections;
  return [
    stageOf(buyers, OF_BUYER, (buyer) => sealBuyer(buyers, buyer, keyring)),
    stageOf(links, { buyer_id: 1, delivery: 1 }, ({ _id, buyer_id, delivery }) =>
      replaceSealed(links, _id, headersOf('delivery', delivery, buyer_id, keyring)),
    ),
    // What is sealed decides no lead, so a plan decides as it did. Packed lists stay packed.
    stageOf(plans, OF_PLAN, ({ _id, buyers: terms }) =>
      replaceSealed(plans, _id, changesOfTerms(terms, keyring)).catch((error: unknown) => {
        if (!isTooLarge(error)) throw error;
        log.error(
          { plan: _id },
          'a plan is too large for values as they are sealed today; they stay unchanged',
        );
        return 0;
      }),
    ),
  ];
};

const OF_BUYER = {
  delivery: 1,
  ping: 1,
  webhook_secret: 1,
  signing_secret: 1,
  previous_signing: 1,
};

/** Only the part of a plan that is checked: the rest may be large. */
const OF_PLAN = {
  'buyers.buyer_id': 1,
  'buyers.delivery.headers': 1,
  'buyers.ping.headers': 1,
  'buyers.signing_secret': 1,
  'buyers.previous_signing': 1,
};

/** Sealed values are longer than plain ones, and a document is limited to 16 MiB. */
const TOO_LARGE: ReadonlySet<unknown> = new Set([10_334, 17_419, 17_420]);
const isTooLarge = (error: unknown): boolean =>
  error instanceof MongoServerError && TOO_LARGE.has(error.code);

/** Returns 1 where it had a value to seal, else 0. */
export const sealBuyer = (
  buyers: Collection<BuyerDoc>,
  { _id, delivery, ping, webhook_secret, ...signing }: BuyerDoc,
  keyring: Sealing,
): Promise<number> =>
  replaceSealed(buyers, _id, [
    ...headersOf('delivery', delivery, _id, keyring),
    ...headersOf('ping', ping, _id, keyring),
    ...sealed('webhook_secret', webhook_secret, webhookSecretPlace(_id), keyring),
    ...signingOf('', signing, _id, keyring),
  ]);

function changesOfAutomation(automation: AutomationDoc, keyring: Sealing): SealedChange[] {
  const { _id, secret, previous_secret: previous, action, target } = automation;
  const place = automationSecretPlace(_id);
  return [
    ...sealed('secret', secret, place, keyring),
    ...sealed('previous_secret.secret', previous?.secret, place, keyring),
    ...(action === 'SLACK'
      ? sealed('target.url', target.url, automationUrlPlace(_id), keyring)
      : action === 'WEBHOOK'
        ? sealed('target.headers', target.headers, automationHeadersPlace(_id), keyring)
        : []),
  ];
}

const changesOfTerms = (buyers: readonly BuyerTerms[], keyring: Sealing): SealedChange[] =>
  buyers.flatMap((terms, index) => [
    ...headersOf(`buyers.${index}.delivery`, terms.delivery, terms.buyer_id, keyring),
    ...headersOf(`buyers.${index}.ping`, terms.ping, terms.buyer_id, keyring),
    ...signingOf(`buyers.${index}.`, terms, terms.buyer_id, keyring),
  ]);

function signingOf(
  prefix: string,
  { signing_secret, previous_signing }: Pick<BuyerTerms, 'signing_secret' | 'previous_signing'>,
  buyerId: string,
  keyring: Sealing,
): SealedChange[] {
  const place = signingSecretPlace(buyerId);
  return [
    ...sealed(`${prefix}signing_secret`, signing_secret, place, keyring),
    ...sealed(`${prefix}previous_signing.secret`, previous_signing?.secret, place, keyring),
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
