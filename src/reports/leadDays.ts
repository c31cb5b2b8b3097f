/**
 * The roll-ups of one partner's leads by day and campaign, as its portal shows them. Leads that have changed since they
 * were counted are added during the read: many people open pages, and counting for each of them would write.
 */
import { BATCH_MAX, tallyByDay, findTimeZones, type RollDeps } from './countBatches.js';
import { bringUpToDate, readSettled, selectSums, type ReportScope } from './reading.js';
import { LEADS, type RolledLead } from './rollUp.js';
import {
  difference,
  entriesOf,
  placeKey,
  total,
  type Place,
  type Row,
  type Sums,
} from './rules/rollups.js';

/** A supplier or a buyer. */
type Party = { supplier_id: string } | { buyer_id: string };

/** Whose days, and which span: without a campaign those of all. */
export type PartyScope = Pick<ReportScope, 'orgId' | 'from' | 'to' | 'campaign_id'> & Party;

export interface LeadDay {
  campaign_id: string;
  day: string;
  by_status: Row['by_status'];
  /** Of a supplier: the part of the sums from leads that it has not posted, because they were made to be sold again. */
  resold: Row['by_status'];
}

/** The sums of one facet. */
type Part = Pick<LeadDay, 'campaign_id' | 'day' | 'by_status'> & Pick<Place, 'facet'>;

/** More than a partner of a hundred campaigns has in the longest permitted span. */
const DAYS_MAX = 20_000;

/** One for each day and campaign with leads, newest day first. Includes uncounted changes; nothing is written. */
export async function readLeadDays(deps: RollDeps, scope: PartyScope): Promise<LeadDay[]> {
  const { rollups } = deps.collections;
  const places = placesOf(scope);
  const facets = places.map(({ facet }) => facet);
  const readBoth = () =>
    readSettled(deps, {
      counting: 'leads',
      read: () =>
        Promise.all([
          rollups
            .find(selectSums(scope, { $in: facets }))
            .project<Part>({ _id: 0, facet: 1, campaign_id: 1, day: 1, by_status: 1 })
            .sort({ day: -1 })
            .limit(DAYS_MAX * facets.length)
            .toArray(),
          LEADS.findUncounted(deps.collections, scope.orgId),
        ]),
    });
  let [stored, uncounted] = await readBoth();
  if (uncounted.length === BATCH_MAX) {
    // Roll-ups are behind: to count here costs less than to read the uncounted leads again for each page.
    await bringUpToDate(deps, 'leads', scope.orgId);
    [stored, uncounted] = await readBoth();
  }
  const added = await tallyUncounted(uncounted, { scope, places }, deps);
  const days = Map.groupBy([...stored, ...added], (one) => `${one.day} ${one.campaign_id}`);
  return [...days.values()]
    .map(joinParts)
    .filter(({ by_status }) => entriesOf(by_status).length > 0)
    .sort((a, b) => (a.day < b.day ? 1 : a.day > b.day ? -1 : 0));
}

/** The sums of several days and campaigns together, for every status of their leads. */
export const totalOf = (days: readonly LeadDay[]): Sums =>
  total(days.flatMap(({ by_status }) => entriesOf(by_status).map(([, sums]) => sums)));

const placesOf = (scope: PartyScope): Place[] =>
  'buyer_id' in scope
    ? [{ facet: 'buyer', buyer_id: scope.buyer_id }]
    : [
        { facet: 'supplier', supplier_id: scope.supplier_id },
        { facet: 'resold', supplier_id: scope.supplier_id },
      ];

/** The difference that these leads make in the sums of the partner. */
async function tallyUncounted(
  uncounted: readonly RolledLead[],
  { scope, places }: { scope: PartyScope; places: readonly Place[] },
  { collections }: RollDeps,
): Promise<Part[]> {
  const { from, to, campaign_id } = scope;
  const relevant = uncounted.filter((lead) => concerns(lead, scope));
  if (relevant.length === 0) return [];
  const zones = await findTimeZones(relevant, collections);
  return tallyByDay(relevant, zones, LEADS).days.flatMap(({ day: one, rows }) => {
    const isAsked =
      from <= one.day && one.day <= to && (campaign_id ?? one.campaign_id) === one.campaign_id;
    if (!isAsked) return [];
    return places.flatMap((place): Part[] => {
      const row = rows.get(placeKey(place));
      const { campaign_id, day } = one;
      return row ? [{ facet: place.facet, campaign_id, day, by_status: row.by_status }] : [];
    });
  });
}

/** A few of the organization's uncounted leads: the others would be tallied for nothing. */
function concerns({ supplier_id, sales, counted }: RolledLead, scope: PartyScope): boolean {
  if ('supplier_id' in scope) return supplier_id === scope.supplier_id;
  const before = counted?.contribution?.sales ?? [];
  return [...sales, ...before].some(({ buyer_id }) => buyer_id === scope.buyer_id);
}

/** The parts of one day and campaign, without zeros, each sum with all its fields. */
function joinParts(parts: readonly Part[]): LeadDay {
  const { resold = [], whole = [] } = Object.groupBy(parts, ({ facet }) =>
    facet === 'resold' ? 'resold' : 'whole',
  );
  const [{ campaign_id, day } = { campaign_id: '', day: '' }] = parts;
  // Those of one facet are one place.
  const sum = (some: readonly Part[]) => difference(some, [])[0]?.by_status ?? {};
  return { campaign_id, day, by_status: sum(whole), resold: sum(resold) };
}
