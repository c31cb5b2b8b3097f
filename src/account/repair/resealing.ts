/**
 * Sealed values of an earlier release, which open anywhere, and values under an older secret: each is sealed again, bound
 * to its place, under the current secret.
 */
import { MongoServerError, type Collection } from 'mongodb';
import type { Keyring } from '../../platform/security/seal.js';
import { beyond, partOf, type Stage } from '../../platform/mongo/stagedRepair.js';
import type { Log } from '../../lib/log.js';
import type { AutomationDoc } from '../store/automationDocs.js';
import type { AccountCollections } from '../store/collections.js';
import { sealAutomation, sealBuyer, sealLink, sealStoredPlan, sealSupplier } from './sealing.js';

interface PlanDeps {
  collections: Pick<AccountCollections, 'buyers' | 'campaignBuyers' | 'plans'>;
  keyring: Keyring;
  log: Pick<Log, 'error'>;
}

export interface ResealingDeps extends PlanDeps {
  collections: PlanDeps['collections'] &
    Pick<AccountCollections, 'suppliers'> & { automations: Collection<AutomationDoc> };
}

/** All sealed values of the account. */
export const accountStages = (deps: ResealingDeps): Stage[] => {
  const { suppliers, automations } = deps.collections;
  return [
    ...planStages(deps),
    (after) =>
      partOf(suppliers.find(beyond(after), { projection: { api_key: 1 } }), (supplier) =>
        sealSupplier(suppliers, supplier, deps.keyring),
      ),
    (after) =>
      partOf(automations.find(beyond(after)), (automation) =>
        sealAutomation(automations, automation, deps.keyring),
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
    (after) =>
      partOf(buyers.find(beyond(after), { projection: OF_BUYER }), (buyer) =>
        sealBuyer(buyers, buyer, keyring),
      ),
    (after) =>
      partOf(links.find(beyond(after), { projection: { buyer_id: 1, delivery: 1 } }), (link) =>
        sealLink(links, link, keyring),
      ),
    (after) =>
      partOf(plans.find(beyond(after), { projection: OF_PLAN }), (plan) =>
        sealStoredPlan(plans, plan, keyring).catch((error: unknown) => {
          if (!isTooLarge(error)) throw error;
          log.error(
            { plan: plan._id },
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
