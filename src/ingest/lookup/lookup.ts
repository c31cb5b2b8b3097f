/** The status of a supplier's own lead (contract 3.5). */
import { hashKey, isWellFormedKey } from '../../platform/security/keys.js';
import { AppError } from '../../lib/errors.js';
import { requireSupplier, unauthorized } from '../../account/access/requirePartner.js';
import type { AccountCache } from '../../account/access/accountCache.js';
import type { ShownBuyer } from '../../leads/shownBuyer.js';
import { takeToken, type Allowance } from '../../account/access/takeToken.js';
import type { RateLimiter } from '../../platform/rateLimits/limiter.js';
import { orUnavailable } from '../../platform/mongo/databaseErrors.js';
import type { LeadLookup } from '../../leads/store/leadLookup.js';
import { lookupData, type LookupData } from './answer.js';
import { readCriteria } from './criteria.js';

export interface LookupRequest {
  /** The raw `x-api-key` header. */
  key: string | undefined;
  query: URLSearchParams;
}

export interface LookupAnswer {
  data: LookupData;
  /** Headers to set: the RateLimit fields. */
  headers: Record<string, string>;
}

export interface LookupDeps {
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

export const createLookup = (deps: LookupDeps) => ({
  /**
   * The newest lead that matches.
   * @throws {AppError} `validation_failed`, `unauthorized`, `not_found`, `rate_limited`, `unavailable`
   */
  find: (request: LookupRequest): Promise<LookupAnswer> =>
    find(request, deps).catch(orUnavailable('Leads cannot be looked up now. Ask again.')),
});

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
