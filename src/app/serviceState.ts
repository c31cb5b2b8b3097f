/** Reads what the metrics tell of the database, from the stores of the rooms: a fixed number of bounded queries. */
import {
  findCapped,
  findNames,
  listOrgs,
  type Capped,
  type WatchedOrg,
} from '../account/store/overview.js';
import { readEventBacklog } from '../automations/store/eventBacklog.js';
import { findOpenBreakers } from '../deliveries/store/attention.js';
import { readQueueDepths } from '../deliveries/store/queueDepths.js';
import { eachWindow } from '../account/rules/capLimits.js';
import { fromMicros } from '../fields/money.js';
import { windowKeys } from '../fields/windowKeys.js';
import type { AccountLabels } from '../platform/metrics/accountMetrics.js';
import { OTHER } from '../platform/metrics/labels.js';
import type { ServiceState } from '../platform/metrics/serviceState.js';
import { entriesOf, total } from '../reports/rules/rollups.js';
import { readCampaignDays, type DayOfOrg } from '../reports/store/campaignDays.js';
import { capMoment, capUsage, shareUsed } from '../routing/rules/capUsage.js';
import { buyerCap, campaignCap, supplierCap, type CapStore } from '../routing/store/caps.js';
import type { Collections } from './database.js';

export interface StateDeps {
  collections: Pick<
    Collections,
    | 'orgs'
    | 'campaigns'
    | 'buyers'
    | 'campaignBuyers'
    | 'campaignSuppliers'
    | 'deliveries'
    | 'destinations'
    | 'eventDeliveries'
    | 'rollups'
  >;
  caps: CapStore;
  clock: { now(): Date };
}

const ORGS_MAX = 200;
const CAMPAIGNS_MAX = 500;
const CAPS_MAX = 500;
const LINKS_MAX = 2_000;
const ROLLUPS_MAX = 2_000;
const BREAKERS_MAX = 1_000;
const DEPTHS = { buyersMax: 500, countMax: 20_000, totalMax: 200_000, countLeast: 1_000 };
const BACKLOG = { countMax: 20_000, automationsMax: 200 };

/** @param labels get the campaigns and buyers that are found; the others have no name */
export async function readServiceState(
  deps: StateDeps,
  labels: AccountLabels,
): Promise<ServiceState> {
  const { collections, clock } = deps;
  const at = clock.now();
  const { orgs, leftOut: organizations } = await listOrgs(collections.orgs, ORGS_MAX);
  const [depths, breakers, events, limits, days] = await Promise.all([
    readQueueDepths(collections.deliveries, DEPTHS),
    findOpenBreakers(collections.destinations, null, BREAKERS_MAX),
    readEventBacklog(collections.eventDeliveries, BACKLOG),
    readCaps(deps, orgs),
    readDays(deps, orgs),
  ]);
  const { queues } = depths;
  const openBreakers = breakers.map(({ _id }) => _id);
  const today = days.map((day) => todayOf(day, orgs.get(day.org_id)?.currency ?? ''));
  nameAll({ queues, openBreakers, today }, labels);
  const caps = limits.slice(0, CAPS_MAX).filter((one) => isNamed(one, labels));
  const [campaigns, buyers] = await Promise.all([
    findNames(collections.campaigns, labels.campaigns.ids()),
    findNames(collections.buyers, labels.buyers.ids()),
  ]);
  return {
    queues,
    openBreakers,
    events,
    today,
    caps,
    leftOut: { organizations, buyers: depths.leftOut, caps: limits.length - caps.length },
    names: { campaigns, buyers },
    at,
  };
}

/** Before the names are read: every id that will be shown has its value. Those with a queue come first. */
function nameAll(
  { queues, openBreakers, today }: Pick<ServiceState, 'queues' | 'openBreakers' | 'today'>,
  { campaigns, buyers }: AccountLabels,
): void {
  queues.forEach(({ buyer_id }) => buyers.of(buyer_id));
  openBreakers.forEach((id) => buyers.of(id));
  today.forEach(({ campaign_id }) => campaigns.of(campaign_id));
}

/** A cap of one of many others would say nothing. */
const isNamed = (
  { campaign_id, buyer_id }: ServiceState['caps'][number],
  { campaigns, buyers }: AccountLabels,
): boolean =>
  campaigns.of(campaign_id) !== OTHER && (buyer_id === undefined || buyers.of(buyer_id) !== OTHER);

/** What deliveries in flight reserve is not told apart here: it counts as used. */
const NOTHING_APART = eachWindow(() => ({ count: 0, amount: 0 }));

/** The fullest first. */
async function readCaps(
  { collections, caps, clock }: StateDeps,
  orgs: ReadonlyMap<string, WatchedOrg>,
): Promise<ServiceState['caps'][number][]> {
  const limits = { campaignsMax: CAMPAIGNS_MAX, linksMax: LINKS_MAX };
  const capped = await findCapped(collections, [...orgs.keys()], limits);
  const states = await caps.read(capped.map(idOf));
  const now = clock.now();
  const zones = new Set([...orgs.values()].map(({ time_zone }) => time_zone));
  const moments = new Map([...zones].map((zone) => [zone, capMoment(now, zone)]));
  return capped
    .flatMap(({ caps: set, ...one }) => {
      const { org_id, ...owner } = one;
      const moment = moments.get(orgs.get(org_id)?.time_zone ?? '');
      const counters = states.get(idOf(one));
      const use = counters && { counters, held: NOTHING_APART };
      if (!moment) return [];
      return capUsage(set, use, moment).map((usage) => ({
        ...owner,
        window: usage.window,
        of: usage.of,
        ratio: shareUsed(usage),
      }));
    })
    .toSorted((a, b) => b.ratio - a.ratio);
}

function idOf({
  scope,
  campaign_id,
  buyer_id = '',
  supplier_id = '',
}: Omit<Capped, 'caps'>): string {
  if (scope === 'buyer') return buyerCap(campaign_id, buyer_id);
  return scope === 'supplier' ? supplierCap(campaign_id, supplier_id) : campaignCap(campaign_id);
}

/** Today is another day in another time zone: one read for each day that is today somewhere, at most three. */
async function readDays(
  { collections, clock }: StateDeps,
  orgs: ReadonlyMap<string, WatchedOrg>,
): Promise<DayOfOrg[]> {
  const now = clock.now();
  const byDay = Map.groupBy(orgs.values(), ({ time_zone }) => windowKeys(now, time_zone).day);
  const each = [...byDay].map(([day, group]) => {
    const ids = group.map(({ _id }) => _id);
    return readCampaignDays(collections.rollups, ids, day, ROLLUPS_MAX);
  });
  return (await Promise.all(each)).flat();
}

function todayOf({ campaign_id, by_status }: DayOfOrg, currency: string) {
  const entries = entriesOf(by_status);
  const { revenue, cost } = total(entries.map(([, sums]) => sums));
  return {
    campaign_id,
    currency,
    leads: Object.fromEntries(entries.map(([status, { leads }]) => [status, leads])),
    revenue: fromMicros(revenue),
    cost: fromMicros(cost),
  };
}
