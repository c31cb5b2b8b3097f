/** The status of a lead for the supplier that sent it (contract 3.5): the same results as at ingest (see `ingest/reply.ts`). */
import type { z } from 'zod';
import { hashKey, isWellFormedKey } from '../../platform/security/keys.js';
import { AppError } from '../../lib/errors.js';
import { requireSupplier, unauthorized } from '../../account/access/requirePartner.js';
import type { AccountCache } from '../../account/access/accountCache.js';
import type { ShownBuyer } from '../../leads/shownBuyer.js';
import { takeToken, type Allowance } from '../../account/access/takeToken.js';
import type { RateLimiter } from '../../platform/rateLimits/limiter.js';
import { orUnavailable } from '../../platform/mongo/databaseErrors.js';
import type { FoundLead, LeadLookup } from '../../leads/store/leadLookup.js';
import { supplierStatus, type SupplierStatus } from '../../leads/rules/supplierStatus.js';
import type { LookupResult } from '../schemas/lookup.js';
import { readCriteria } from './criteria.js';

interface LookupRequest {
  /** The raw `x-api-key` header. */
  key: string | undefined;
  query: URLSearchParams;
}

interface LookupAnswer {
  data: LookupData;
  /** Headers to set: the RateLimit fields. */
  headers: Record<string, string>;
}

type LookupData = z.output<typeof LookupResult>['data'];

interface LookupDeps {
  accountCache: AccountCache;
  limiter: RateLimiter;
  leads: LeadLookup;
  shownBuyer: ShownBuyer;
}

/** 10 a second, and bursts of 20 a second for 5 seconds, for every supplier. */
const ALLOWANCE: Allowance = {
  name: 'lookup',
  limitOf: () => ({ per_second: 10, burst_per_second: 20, burst_seconds: 5 }),
  counted: 'lookups',
  again: 'Ask again',
};

/** Maximum leads with one phone or email that are counted. */
const MATCHES_MAX = 100;

export type Lookup = ReturnType<typeof createLookup>;

/**
 * Finds the newest lead that matches.
 * @throws {AppError} `validation_failed`, `unauthorized`, `not_found`, `rate_limited`, `unavailable`
 */
export const createLookup =
  (deps: LookupDeps) =>
  (request: LookupRequest): Promise<LookupAnswer> =>
    find(request, deps).catch(orUnavailable('Leads cannot be looked up now. Ask again.'));

async function find({ key, query }: LookupRequest, deps: LookupDeps): Promise<LookupAnswer> {
  if (key === undefined || !isWellFormedKey(key)) throw unauthorized();
  const keyHash = hashKey(key);
  const { access, headers } = await takeToken(keyHash, ALLOWANCE, deps);
  try {
    const criteria = readCriteria(query);
    // This process's cache may be old: a revoked key must read nothing.
    await deps.accountCache.refresh([access.org_id]);
    const sender = await requireSupplier(keyHash, deps.accountCache);
    const found = await deps.leads.find(sender, criteria, MATCHES_MAX);
    const [newest] = found;
    if (!newest) throw new AppError('not_found', 'You have not sent such a lead.');
    const current = await deps.accountCache.plan(access.org_id, newest.campaign_id);
    const sharesOutcome = current?.plan.share_outcomes === true;
    return { data: lookupData(newest, found.length, deps.shownBuyer, sharesOutcome), headers };
  } catch (error) {
    if (error instanceof AppError) error.extras.headers = { ...headers, ...error.extras.headers };
    throw error;
  }
}

const SHOWN: Record<SupplierStatus, Pick<LookupData, 'status' | 'delivery' | 'reason'>> = {
  undecided: { status: 'NEW' },
  // The answer of ingest holds until the promise is kept or expired.
  pending: { status: 'ACCEPTED', delivery: 'pending' },
  delivered: { status: 'ACCEPTED', delivery: 'delivered' },
  unmatched: { status: 'UNMATCHED' },
  duplicate: { status: 'DUPLICATE' },
  filtered: { status: 'REJECTED', reason: 'filtered' },
  capped: { status: 'REJECTED', reason: 'supplier_capped' },
  expired: { status: 'EXPIRED' },
  withdrawn: { status: 'NEW' },
};

/** @param sharesOutcome whether the campaign lets its suppliers see the outcomes that buyers report */
function lookupData(
  lead: FoundLead,
  matches: number,
  shownBuyer: ShownBuyer,
  sharesOutcome: boolean,
): LookupData {
  const status = supplierStatus(lead);
  const shown = SHOWN[status];
  const hasOriginal = shown.status !== 'NEW' && shown.status !== 'REJECTED';
  return {
    id: lead._id,
    ...shown,
    buyer_id: status === 'delivered' ? shownBuyer(lead) : null,
    duplicate_of: hasOriginal ? lead.duplicate_of : undefined,
    filter_errors: status === 'filtered' ? (lead.filter_errors ?? []) : undefined,
    campaign_id: lead.campaign_id,
    is_test: lead.is_test,
    created_at: lead.created_at.toISOString(),
    decided_at: lead.decided_at?.toISOString(),
    outcome: sharesOutcome ? (lead.outcome ?? null) : undefined,
    matches,
  };
}
