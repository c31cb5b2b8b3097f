/** Pings as the service stores and signs them, without asking any buyer. */
import { randomUUID } from 'node:crypto';
import { createPingTokens, type PingTokens } from '../../src/platform/security/pingTokens.js';
import type { Keyring } from '../../src/platform/security/seal.js';
import type { Fields } from '../../src/fields/values.js';
import { pingDigests } from '../../src/pings/rules/digests.js';
import type { ReadPingClaim } from '../../src/ingest/pingClaim.js';
import type { Collections } from '../../src/app/database.js';
import type { PingDoc } from '../../src/pings/store/pingDocs.js';
import type { TestAccount } from './account.js';

export const PING_KEY = 'a key for pings of 32 characters or more';

/** For an intake whose campaigns require no pings. */
export const noPings: ReadPingClaim = () => Promise.resolve({ claim: null, errors: [] });

export const tokensOf = (...keys: string[]): PingTokens =>
  createPingTokens({ keys: keys.length > 0 ? keys : [PING_KEY], now: () => new Date() });

interface BidSpec {
  /** In whole units of money. */
  price: number;
  bid: number;
  reference?: string;
}

export interface PingSpec extends Partial<PingDoc> {
  /** By the buyer's name, best first. */
  bidders?: Record<string, BidSpec>;
  /** The pinged fields, normalized. */
  fields?: Fields;
  /** Negative: it has expired. */
  validMs?: number;
  tokens?: PingTokens;
  /** Claims of the token that differ from the ping's own. */
  claims?: { org_id?: string; campaign_id?: string; supplier_id?: string; expires_at?: Date };
}

const MICROS = 1_000_000;

/** A stored ping, and what its supplier received. */
export async function aPing(
  { collections, keyring }: { collections: Collections; keyring: Keyring },
  { orgId, campaignId, suppliers, buyers }: TestAccount,
  spec: PingSpec = {},
): Promise<{ id: string; token: string; body: { flo_ping_id: string } }> {
  const {
    bidders = {},
    fields = {},
    validMs = 600_000,
    tokens = tokensOf(),
    claims,
    ...rest
  } = spec;
  const now = new Date();
  const ping: PingDoc = {
    _id: randomUUID(),
    org_id: orgId,
    campaign_id: campaignId,
    supplier_id: suppliers[0]?.id ?? '',
    plan_version: 1,
    is_test: false,
    state: 'open',
    bids: Object.entries(bidders).map(([name, { price, bid, ...more }]) => ({
      buyer_id: buyers[name] ?? name,
      source: 'static',
      ...more,
      price: price * MICROS,
      net: bid * MICROS,
      bid: bid * MICROS,
    })),
    unbid: [],
    digests: pingDigests(fields, (text) => keyring.claimHash(text)),
    reveal_buyers: true,
    created_at: now,
    expires_at: new Date(Number(now) + validMs),
    forget_at: new Date(Number(now) + 86_400_000),
    ...rest,
  };
  await collections.pings.insertOne(ping);
  const { _id: ping_id, org_id, campaign_id, supplier_id, expires_at } = ping;
  const named = { ping_id, org_id, campaign_id, supplier_id, expires_at, ...claims };
  const token = tokens.sign(named);
  return { id: ping_id, token, body: { flo_ping_id: token } };
}
