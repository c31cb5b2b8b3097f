/**
 * The account as an API process caches it. Every entry is kept under the organization's version: one small read
 * shows whether any of it may have changed (contract 1.2).
 */
import { setTimeout } from 'node:timers/promises';
import { PING_RATE } from '../rateLimit.js';
import type { Clock } from '../../lib/clock.js';
import { createUnknownKeys } from '../../platform/security/keys.js';
import type { AccountCollections } from '../store/collections.js';
import type { SupplierKeyDoc } from '../store/keyDocs.js';
import type { SupplierDoc } from '../store/accountDocs.js';
import { planId, type Plan } from '../rules/plan.js';
import { findBySecret, type SecretOwner } from '../store/buyerSecrets.js';
import { lruMap } from '../../lib/lruMap.js';
import type { PlanStore } from '../store/plans.js';

export interface SupplierAccess {
  org_id: string;
  supplier_id: string;
  rate_limit: SupplierDoc['rate_limit'];
  ping_rate_limit: SupplierDoc['rate_limit'];
  /** For a key that was replaced: when it expires. */
  until?: Date;
  /** The organization's account version at the time of the read. */
  version: number;
}

/** A buyer that reports outcomes of its leads. */
export interface BuyerAccess extends SecretOwner {
  /** The organization's account version at the time of the read. */
  version: number;
}

export interface CurrentPlan {
  plan: Plan;
  /** The organization's account version at the time of the read. */
  version: number;
}

export interface AccountCache {
  /** The supplier of the key; null when the key is unknown, revoked or expired, or its supplier is gone. */
  supplierByKey(keyHash: string): Promise<SupplierAccess | null>;
  /** The buyer whose webhook secret, current or previous and unexpired, has this hash; null when no buyer has it. */
  buyerBySecret(secretHash: string): Promise<BuyerAccess | null>;
  /** The plan that decides new leads of this campaign; null when the organization has no such campaign. */
  plan(orgId: string, campaignId: string): Promise<CurrentPlan | null>;
  /** Reads the current versions and drops entries of older ones. */
  refresh(orgIds: readonly string[]): Promise<Map<string, number>>;
  /** The same for one organization. Calls within a few milliseconds share one read, so a flood of calls reads once. */
  refreshShared(orgId: string): Promise<void>;
}

interface Known {
  version: number;
  keys: Map<string, SupplierAccess | null>;
  secrets: Map<string, BuyerAccess | null>;
  /** Ids of the current plans, by campaign. */
  plans: Map<string, string>;
}

const emptyKnown = (version: number): Known => ({
  version,
  keys: new Map(),
  secrets: new Map(),
  plans: new Map(),
});

const ORGS_MAX = 1_000;
const KEYS_MAX = 50_000;
/** Milliseconds a shared read waits for more callers: it begins after all of their calls. */
const SHARE_MS = 20;

export function createAccountCache(
  collections: Pick<
    AccountCollections,
    'apiKeys' | 'suppliers' | 'buyers' | 'campaigns' | 'versions'
  >,
  plans: PlanStore,
  clock: Pick<Clock, 'now'>,
): AccountCache {
  const orgs = lruMap<string, Known>(ORGS_MAX);
  /** The organization of each key; that never changes. */
  const orgOfKey = lruMap<string, string>(KEYS_MAX);
  const orgOfSecret = lruMap<string, string>(KEYS_MAX);
  const unknown = createUnknownKeys();

  const refresh = async (orgIds: readonly string[]): Promise<Map<string, number>> => {
    const found = await collections.versions.find({ _id: { $in: [...orgIds] } }).toArray();
    const versions = new Map(found.map((doc) => [doc._id, doc.version]));
    for (const orgId of orgIds) {
      const version = versions.get(orgId) ?? 0;
      versions.set(orgId, version);
      if (orgs.get(orgId)?.version !== version) {
        orgs.set(orgId, emptyKnown(version));
      }
    }
    return versions;
  };

  const sharedReads = new Map<string, Promise<void>>();
  const refreshShared = (orgId: string): Promise<void> => {
    const running = sharedReads.get(orgId);
    if (running) return running;
    const read = setTimeout(SHARE_MS)
      .then(() => refresh([orgId]))
      .then(() => undefined)
      .finally(() => sharedReads.delete(orgId));
    sharedReads.set(orgId, read);
    return read;
  };

  const readKnown = async (orgId: string): Promise<Known> => {
    const known = orgs.get(orgId);
    if (known) return known;
    // The version is read first: what is read after it is at least as new.
    const versions = await refresh([orgId]);
    return orgs.get(orgId) ?? emptyKnown(versions.get(orgId) ?? 0);
  };

  /** From the cache while the plan is in it; the cache is bounded across all organizations. */
  const readPlan = async (id: string): Promise<Plan> => {
    const plan = (await plans.get([id])).get(id);
    if (!plan) throw new Error(`Plan ${id} is not stored`);
    return plan;
  };

  const readAccess = async (
    keyHash: string,
    orgId: string,
    version: number,
  ): Promise<SupplierAccess | null> => {
    const key = await collections.apiKeys.findOne({ _id: keyHash, kind: 'supplier' });
    if (!isLiveSupplierKey(key)) return null;
    const supplier = await collections.suppliers.findOne({ _id: key.supplier_id, org_id: orgId });
    if (!supplier) return null;
    const { _id: supplier_id, rate_limit, ping_rate_limit = PING_RATE.defaults } = supplier;
    const until = key.expires_at;
    return { org_id: orgId, supplier_id, rate_limit, ping_rate_limit, until, version };
  };

  /** A cached key may have expired since it was read, so its end is checked on every call. */
  const whileValid = (access: SupplierAccess | null): SupplierAccess | null =>
    access?.until && access.until <= clock.now() ? null : access;

  return {
    async supplierByKey(keyHash) {
      let orgId = orgOfKey.get(keyHash);
      if (orgId === undefined) {
        if (unknown.has(keyHash)) return null;
        const key = await collections.apiKeys.findOne(
          { _id: keyHash },
          { projection: { org_id: 1 } },
        );
        if (!key) {
          unknown.add(keyHash);
          return null;
        }
        orgId = key.org_id;
        orgOfKey.set(keyHash, orgId);
      }
      const known = await readKnown(orgId);
      const remembered = known.keys.get(keyHash);
      if (remembered !== undefined) return whileValid(remembered);
      const access = await readAccess(keyHash, orgId, known.version);
      known.keys.set(keyHash, access);
      return whileValid(access);
    },
    async buyerBySecret(secretHash) {
      let orgId = orgOfSecret.get(secretHash);
      if (orgId === undefined) {
        if (unknown.has(secretHash)) return null;
        orgId = (await findBySecret(collections.buyers, secretHash))?.org_id;
        if (orgId === undefined) {
          unknown.add(secretHash);
          return null;
        }
        orgOfSecret.set(secretHash, orgId);
      }
      const known = await readKnown(orgId);
      const remembered = known.secrets.get(secretHash);
      if (remembered !== undefined) return remembered;
      const buyer = await findBySecret(collections.buyers, secretHash);
      const access = buyer && { ...buyer, version: known.version };
      known.secrets.set(secretHash, access);
      return access;
    },
    async plan(orgId, campaignId) {
      const known = await readKnown(orgId);
      const { version } = known;
      const remembered = known.plans.get(campaignId);
      if (remembered !== undefined) return { plan: await readPlan(remembered), version };
      const campaign = await collections.campaigns.findOne(
        { _id: campaignId, org_id: orgId },
        { projection: { plan_version: 1 } },
      );
      // Unknown campaigns are not cached: a caller can invent any number of ids.
      if (!campaign) return null;
      const id = planId(campaignId, campaign.plan_version);
      const plan = await readPlan(id);
      known.plans.set(campaignId, id);
      return { plan, version };
    },
    refresh,
    refreshShared,
  };
}

function isLiveSupplierKey(key: unknown): key is SupplierKeyDoc {
  if (typeof key !== 'object' || key === null) return false;
  return 'supplier_id' in key && !('revoked_at' in key && key.revoked_at);
}
