/** A buyer's report on a lead, from its secret to the answer (contract 7.1). */
import { POSTBACK_RATE } from '../../account/rateLimit.js';
import type { Clock } from '../../lib/clock.js';
import { readOutcomeBody, type OutcomeBody } from '../rules/outcomeBody.js';
import { AppError } from '../../lib/errors.js';
import { fieldsFailed } from '../../account/access/addressedCampaign.js';
import type { BuyerAccess, AccountCache } from '../../account/access/accountCache.js';
import { takeCallerToken, type Allowance } from '../../account/access/takeToken.js';
import type { RateLimiter } from '../../platform/rateLimits/limiter.js';
import type { BuyerLeads, CandidateLead } from '../../leads/store/buyerLeads.js';
import { orUnavailable } from '../../platform/mongo/databaseErrors.js';
import { requireBuyer } from '../../account/access/requirePartner.js';
import { outcomeData, type OutcomeData } from '../schemas/outcome.js';
import { askHash, changeId } from '../changeId.js';
import { createBuyerLeadQueries, type BuyerLeadQueries } from './buyerLeadQueries.js';
import { leadIdOf, matchLead, type MatchDeps, type MatchedLead } from './match.js';
import type { SaleChange, SaleChanges } from '../types.js';

export interface PostbackRequest {
  /** The raw `X-Buyer-Secret` header. */
  secret: string | undefined;
  body: Record<string, unknown>;
  /** The body was a form. */
  isForm: boolean;
  /** On the clock of `performance.now()`. */
  receivedAt: number;
}

export interface Postbacks {
  /**
   * Answers when the outcome is stored and applied. `headers` are the RateLimit fields.
   * @throws {AppError} `unauthorized`, `rate_limited`, `validation_failed`, `not_found`, `ambiguous`, `conflict`,
   * `unavailable`, `outcome_unknown`
   */
  submit(request: PostbackRequest): Promise<{ data: OutcomeData; headers: Record<string, string> }>;
}

export interface PostbackDeps extends Omit<MatchDeps, 'leads'> {
  accountCache: AccountCache;
  leads: Pick<BuyerLeads, 'byIds' | 'byKey' | 'byKeyOf'>;
  limiter: RateLimiter;
  changes: SaleChanges;
  /** The lead of an earlier request for the same change, by the change's id. */
  earlier: (changeId: string) => Promise<MatchedLead | null>;
  clock: Clock;
}

const ALLOWANCE: Allowance<BuyerAccess> = {
  name: 'postback',
  limitOf: ({ rate_limit = POSTBACK_RATE.defaults }) => rate_limit,
  counted: 'postbacks',
  again: 'Send this one again',
};

export function createPostbacks(deps: PostbackDeps): Postbacks {
  const buyerLeadQueries = createBuyerLeadQueries(deps);
  return { submit: (request) => submit(request, buyerLeadQueries, deps) };
}

async function submit(
  request: PostbackRequest,
  buyerLeadQueries: BuyerLeadQueries,
  deps: PostbackDeps,
): ReturnType<Postbacks['submit']> {
  const require = () => requireBuyer(request.secret, deps);
  const idOf = ({ buyer_id }: BuyerAccess) => buyer_id;
  const { access, headers } = await beforeStoring(() =>
    takeCallerToken(require, idOf, ALLOWANCE, deps),
  );
  try {
    const change = await beforeStoring(async () => {
      const reading = readOutcomeBody(request.body, request.isForm);
      const lead_id = reading.ok ? leadIdOf(reading.body.meant) : undefined;
      const { org_id } = access;
      const named = await buyerLeadQueries.submit({
        org_id,
        lead_id,
        receivedAt: request.receivedAt,
      });
      // This process's cache may have been old: a secret that was replaced is no longer valid.
      const buyer = await require();
      if (!reading.ok) throw fieldsFailed(reading.errors);
      return buildChange(buyer, reading.body, named, deps);
    });
    return { data: outcomeData(await deps.changes.make(change, request.receivedAt)), headers };
  } catch (error) {
    if (error instanceof AppError) error.extras.headers = { ...headers, ...error.extras.headers };
    throw error;
  }
}

async function buildChange(
  buyer: BuyerAccess,
  body: OutcomeBody,
  named: CandidateLead | null,
  deps: PostbackDeps,
): Promise<SaleChange> {
  const { org_id, buyer_id, name } = buyer;
  const { report, idempotency_key: key } = body;
  const id = key === undefined ? undefined : changeId(buyer_id, 'buyer', key);
  return {
    id,
    ...(await findLead(buyer, body, { id, named }, deps)),
    body_hash: askHash(body),
    org_id,
    buyer_id,
    by: { kind: 'buyer', id: buyer_id, name },
    ask: { kind: 'outcome', ...report },
  };
}

/** A repeated request means the lead that it meant at first, even if other leads match it by now. */
async function findLead(
  buyer: BuyerAccess,
  { meant }: OutcomeBody,
  { id, named }: { id: string | undefined; named: CandidateLead | null },
  deps: PostbackDeps,
): Promise<MatchedLead> {
  try {
    return await matchLead(buyer, meant, named, deps);
  } catch (error) {
    const earlier = id !== undefined && error instanceof AppError ? await deps.earlier(id) : null;
    if (earlier) return earlier;
    throw error;
  }
}

/** Until the change is passed to a group nothing is stored, so an unavailable database is a definitive refusal. */
const beforeStoring = <T>(work: () => Promise<T>): Promise<T> =>
  work().catch(
    orUnavailable('The lead cannot be looked up now; nothing was stored. Send it again.'),
  );
