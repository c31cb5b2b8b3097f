/**
 * The account as an API process caches it. Every entry is kept under the organization's version: one small read
 * shows whether any of it may have changed (contract 1.2).
 */
import { setTimeout } from 'node:timers/promises';
import { PING_RATE } from '../rateLimit.js';
import type { Clock } from '../../lib/clock.js';
import { createUnknownKeys } from '../../platform/security/keys.js';
import type { AccountCollections } from '../store/collections.js';
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

export type AccountCache = ReturnType<typeof createAccountCache>;

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
) {
  const orgs = lruMap<string, Known>(ORGS_MAX);
  const unknown = createUnknownKeys();

  /** Reads the current versions and drops entries of older ones. */
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
  /** The same for one organization. Calls within a few milliseconds share one read, so a flood of calls reads once. */
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

  /** Finds the owner of a credential by its hash, and caches it, or that there is none. */
  const createLookup = <A extends object>(
    cacheIn: (known: Known) => Map<string, A | null>,
    findOrg: (hash: string) => Promise<string | undefined>,
    read: (hash: string, known: { orgId: string; version: number }) => Promise<A | null>,
  ) => {
    /** The organization of each credential; that never changes. */
    const orgOf = lruMap<string, string>(KEYS_MAX);
    return async (hash: string): Promise<A | null> => {
      let orgId = orgOf.get(hash);
      if (orgId === undefined) {
        if (unknown.has(hash)) return null;
        orgId = await findOrg(hash);
        if (orgId === undefined) {
          unknown.add(hash);
          return null;
        }
        orgOf.set(hash, orgId);
      }
      const known = await readKnown(orgId);
      const cache = cacheIn(known);
      const remembered = cache.get(hash);
      if (remembered !== undefined) return remembered;
      const access = await read(hash, { orgId, version: known.version });
      cache.set(hash, access);
      return access;
    };
  };

  const findSupplier = createLookup<SupplierAccess>(
    ({ keys }) => keys,
    async (_id) =>
      (await collections.apiKeys.findOne({ _id }, { projection: { org_id: 1 } }))?.org_id,
    async (keyHash, { orgId: org_id, version }) => {
      const key = await collections.apiKeys.findOne({ _id: keyHash, kind: 'supplier' });
      if (key?.kind !== 'supplier' || key.revoked_at) return null;
      const { supplier_id, expires_at: until } = key;
      const supplier = await collections.suppliers.findOne({ _id: supplier_id, org_id });
      if (!supplier) return null;
      const { rate_limit, ping_rate_limit = PING_RATE.defaults } = supplier;
      return { org_id, supplier_id, rate_limit, ping_rate_limit, until, version };
    },
  );

  const findBuyer = createLookup<BuyerAccess>(
    ({ secrets }) => secrets,
    async (hash) => (await findBySecret(collections.buyers, hash))?.org_id,
    async (hash, { version }) => {
      const buyer = await findBySecret(collections.buyers, hash);
      return buyer && { ...buyer, version };
    },
  );

  /** From the cache while the plan is in it; the cache is bounded across all organizations. */
  const readPlan = async (id: string): Promise<Plan> => {
    const plan = (await plans.get([id])).get(id);
    if (!plan) throw new Error(`Plan ${id} is not stored`);
    return plan;
  };

  return {
    /** The supplier of the key; null when the key is unknown, revoked or expired, or its supplier is gone. */
    async supplierByKey(keyHash: string): Promise<SupplierAccess | null> {
      const access = await findSupplier(keyHash);
      // A cached key may have expired since it was read, so its end is checked on every call.
      return access?.until && access.until <= clock.now() ? null : access;
    },
    /** The buyer whose webhook secret, current or previous and unexpired, has this hash; null when no buyer has it. */
    buyerBySecret: findBuyer,
    /** The plan that decides new leads of this campaign; null when the organization has no such campaign. */
    async plan(orgId: string, campaignId: string): Promise<CurrentPlan | null> {
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
