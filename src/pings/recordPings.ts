/** Stores decided pings: each decision with its reasons, and only keyed hashes about the person. */
import type { Keyring } from '../platform/security/seal.js';
import type { PingAccepted, PingRefused } from './rules/auction.js';
import { pingDigests } from './rules/digests.js';
import { DEFAULT_PING_SETTINGS } from '../account/rules/pingSettings.js';
import type { PingDoc } from './store/pingDocs.js';
import type { PingItem } from './screening.js';
import type { PingStore } from './store/pings.js';

const DAY_MS = 86_400_000;
/** How long a ping that can or could be redeemed is kept. */
const KEPT_MS = 30 * DAY_MS;
/** How long a refused ping is kept. */
const REFUSED_KEPT_MS = 3 * DAY_MS;

/**
 * @param now when it was decided
 * @param validMs how long it can be redeemed, in milliseconds
 */
export function buildPingRecord(
  { ping_id: _id, access, admitted }: PingItem,
  outcome: PingAccepted | PingRefused,
  now: Date,
  { keyring, validMs }: { keyring: Pick<Keyring, 'claimHash'>; validMs: number },
): PingDoc {
  const { plan, fields, is_test } = admitted;
  const { reveal_buyers } = plan.ping ?? DEFAULT_PING_SETTINGS;
  const after = (ms: number): Date => new Date(Number(now) + ms);
  const { org_id, supplier_id } = access;
  return {
    _id,
    org_id,
    campaign_id: plan.campaign_id,
    supplier_id,
    plan_version: plan.version,
    is_test,
    ...(outcome.kind === 'accepted'
      ? { state: 'open', bids: outcome.bids }
      : { state: 'refused', reason: outcome.reason, bids: [] }),
    filter_errors: 'filter_errors' in outcome ? outcome.filter_errors : undefined,
    unbid: outcome.unbid,
    digests: pingDigests(fields, keyring.claimHash),
    reveal_buyers,
    created_at: now,
    ...(outcome.kind === 'accepted'
      ? { expires_at: after(validMs), forget_at: after(KEPT_MS) }
      : { expires_at: now, forget_at: after(REFUSED_KEPT_MS) }),
    // Marked for the reports, which count it later; test pings are not counted.
    uncounted: is_test ? undefined : true,
  };
}

/** A decided ping that is to be stored. */
export interface Storing {
  doc: PingDoc;
  /** On the monotonic clock. */
  refuseAt: number;
}

/** Called when a ping can be redeemed from now on, with the end of that time. It must not throw, and is not awaited. */
export type OnStored = (expiresAt: Date) => void;

/** Stores all pings that are ready together, and returns their ids. */
export function createStoring(pings: Pick<PingStore, 'insert'>, onStored: OnStored) {
  return async (group: readonly Storing[]): Promise<PromiseSettledResult<string>[]> => {
    const docs = group.map(({ doc }) => doc);
    await pings.insert(docs);
    for (const { state, expires_at } of docs) if (state === 'open') onStored(expires_at);
    return docs.map(({ _id: value }) => ({ status: 'fulfilled', value }));
  };
}
