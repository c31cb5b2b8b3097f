/** How the buyers or suppliers of a page do: a fixed number of commands, whatever their number. */
import type { z } from 'zod';
import { readTimeZone } from '../../account/orgs.js';
import type { BuyerDoc, SupplierDoc } from '../../account/store/accountDocs.js';
import { breakerState } from '../../deliveries/rules/breaker.js';
import { readQueueStates } from '../../deliveries/store/attention.js';
import { findLastAccepted } from '../../deliveries/store/buyerAttempts.js';
import { fromMicros } from '../../fields/money.js';
import { windowKeys } from '../../fields/windowKeys.js';
import { findLastLeadsAt } from '../../leads/store/leadSums.js';
import { scopeKey } from '../../people/scopes.js';
import { countMembers } from '../../people/store/memberCounts.js';
import { findByIds } from '../../platform/mongo/findByIds.js';
import { findOpenPortals } from '../../portal/settings.js';
import { DAYS_SHOWN, readPartyDays, type PartyDays } from '../../reports/partyDays.js';
import { silentSince } from '../../reports/rules/silence.js';
import type { ActionContext } from './action.js';
import type { BuyerFigures, SupplierFigures } from './schemas/partyFigures.js';

/** Deliveries that are counted for the queues of a page. */
const QUEUED_MAX = 100_000;

const NO_DAYS: PartyDays = {
  leads: 0,
  accepted: 0,
  duplicate: 0,
  revenue: 0,
  cost: 0,
  week: Array.from({ length: DAYS_SHOWN }, () => 0),
};

/** The campaign of a link, for a list of them. */
export const campaignOf = (
  { campaign_id }: { campaign_id: string },
  campaign: { name: string; status: string } | null,
) => ({
  campaign_id,
  campaign_name: campaign?.name,
  campaign_status: campaign?.status,
});

type Side = 'buyer' | 'supplier';

export async function readBuyerFigures(
  buyers: readonly Pick<BuyerDoc, '_id'>[],
  context: ActionContext,
): Promise<(id: string) => z.input<typeof BuyerFigures>> {
  const { collections, clock } = context;
  const ids = buyers.map(({ _id }) => _id);
  const now = clock.now();
  const [daysOf, portalOf, destinations, queues, last] = await Promise.all([
    readDays('buyer', ids, context),
    readPortals('buyer', ids, context),
    findByIds(collections.destinations, ids, { projection: { events: 0, sending: 0, asked: 0 } }),
    readQueueStates(collections.deliveries, ids, QUEUED_MAX),
    findLastAccepted(collections.deliveries, ids),
  ]);
  return (id) => {
    const [destination, queue] = [destinations.get(id), queues.get(id)];
    const { leads, revenue, cost, week } = daysOf(id);
    return {
      breaker: breakerState(destination, now),
      failures: destination?.failures ?? 0,
      queue_held: destination?.held === true,
      waiting: queue?.parked ?? 0,
      unknown: queue?.unknown ?? 0,
      today: { leads, revenue: fromMicros(revenue), cost: fromMicros(cost) },
      week,
      last_lead_at: last.get(id),
      ...portalOf(id),
    };
  };
}

export async function readSupplierFigures(
  suppliers: readonly Pick<SupplierDoc, '_id'>[],
  context: ActionContext,
): Promise<(id: string) => z.input<typeof SupplierFigures>> {
  const { collections, clock, orgId } = context;
  const ids = suppliers.map(({ _id }) => _id);
  const now = clock.now();
  const [daysOf, portalOf, last] = await Promise.all([
    readDays('supplier', ids, context),
    readPortals('supplier', ids, context),
    findLastLeadsAt(collections.leads, orgId, ids),
  ]);
  return (id) => {
    const { week, revenue, cost, ...counts } = daysOf(id);
    const sent = { leads: week.reduce((sum, leads) => sum + leads, 0), days: DAYS_SHOWN };
    return {
      today: { ...counts, revenue: fromMicros(revenue), cost: fromMicros(cost) },
      week,
      last_lead_at: last.get(id),
      silent_since: silentSince(sent, last.get(id), now),
      ...portalOf(id),
    };
  };
}

async function readDays(
  side: Side,
  ids: readonly string[],
  context: ActionContext,
): Promise<(id: string) => PartyDays> {
  const { collections, orgId: org_id, clock } = context;
  const today = windowKeys(clock.now(), await readTimeZone(collections, org_id)).day;
  const days = await readPartyDays(context, { org_id, side, ids }, today);
  return (id) => days.get(id) ?? NO_DAYS;
}

async function readPortals(
  side: Side,
  ids: readonly string[],
  { collections, orgId }: ActionContext,
): Promise<(id: string) => { portal_open: boolean; people: number }> {
  const keyOf = (id: string): string =>
    scopeKey(side === 'buyer' ? { kind: side, buyer_id: id } : { kind: side, supplier_id: id });
  const [open, people] = await Promise.all([
    findOpenPortals(collections, orgId, side, ids),
    countMembers(collections.memberships, orgId, ids.map(keyOf)),
  ]);
  return (id) => ({ portal_open: open.has(id), people: people.get(keyOf(id)) ?? 0 });
}
