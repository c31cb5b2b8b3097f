/** The first reads of every postback, for all that arrive within a few milliseconds: two queries for many. */
import type { AccountCache } from '../../account/access/accountCache.js';
import type { BuyerLeads, CandidateLead } from '../../leads/store/buyerLeads.js';
import { createGroupCommit } from '../../lib/groupCommit.js';
import { GROUPED_BY_MS } from '../deadlines.js';

export interface BuyerLeadQuery {
  org_id: string;
  /** The id of the lead, where the postback names it. */
  lead_id?: string;
  /** On the monotonic clock. */
  receivedAt: number;
}

interface BuyerLeadQueryDeps {
  accountCache: Pick<AccountCache, 'refresh'>;
  leads: Pick<BuyerLeads, 'byIds'>;
}

/** Two, so that one slow query does not delay every postback. */
const IN_FLIGHT_MAX = 2;
const GROUP_MAX = 200;
/** As many as can wait within the deadline at some hundred a second. */
const QUEUE_MAX = 1_000;
/** A group costs its queries, however many postbacks share them: at 200 a second four do. */
const GROUP_INTERVAL_MS = 20;

export type BuyerLeadQueries = ReturnType<typeof createBuyerLeadQueries>;

/**
 * After a query the account cache of the organization is as new as the query. It returns the organization's lead of this
 * id; null when it has none, or none was named.
 */
export const createBuyerLeadQueries = ({ accountCache, leads }: BuyerLeadQueryDeps) =>
  createGroupCommit<BuyerLeadQuery, CandidateLead | null>({
    maxInFlight: IN_FLIGHT_MAX,
    groupMax: GROUP_MAX,
    queueMax: QUEUE_MAX,
    intervalMs: GROUP_INTERVAL_MS,
    noun: 'outcome',
    refuseAt: ({ receivedAt }) => receivedAt + GROUPED_BY_MS,
    async commit(queries) {
      const orgs = [...new Set(queries.map(({ org_id }) => org_id))];
      const ids = [...new Set(queries.flatMap(({ lead_id }) => lead_id ?? []))];
      const [found] = await Promise.all([leads.byIds(ids), accountCache.refresh(orgs)]);
      return queries.map(({ org_id, lead_id }) => {
        const lead = lead_id === undefined ? undefined : found.get(lead_id);
        return { status: 'fulfilled', value: lead?.org_id === org_id ? lead : null };
      });
    },
  });
