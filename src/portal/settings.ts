/** The settings of partners' portals: those of a side, and what one partner has in their place. */
import type { Document } from 'mongodb';
import type { OrgDoc } from '../account/store/accountDocs.js';
import type { AccountCollections } from '../account/store/collections.js';
import type { PortalCollections } from './store/collections.js';
import type { PortalSettingsDoc } from './store/portalDocs.js';
import { PortalRules, settingsOf, type PortalSettings, type Side } from './settingsSchema.js';

/** Whose portal it is; an organization itself has none. */
export type PortalScope =
  | { kind: 'buyer'; buyer_id: string }
  | { kind: 'supplier'; supplier_id: string }
  | { kind: 'organization' };

export interface Party {
  side: Side;
  party_id: string;
}

/** The partner of a scope; null: it is the organization itself. */
export const partyOf = (scope: PortalScope): Party | null => {
  if (scope.kind === 'organization') return null;
  const party_id = scope.kind === 'buyer' ? scope.buyer_id : scope.supplier_id;
  return { side: scope.kind, party_id };
};

type Stored = Pick<
  AccountCollections & PortalCollections,
  'orgs' | 'buyers' | 'suppliers' | 'portalSettings'
>;

/**
 * The settings of the partner's portal, read for each request: a closed portal grants nothing from the next request
 * on, in every process.
 * @returns null where it is not open, or there is no such partner any more
 */
export async function portalOf(
  collections: Stored,
  orgId: string,
  scope: PortalScope,
): Promise<PortalSettings | null> {
  const party = partyOf(scope);
  const found = party && (await readPortalRecord(collections, orgId, party));
  return found?.settings.is_enabled ? found.settings : null;
}

/** The settings of a partner, whether its portal is open or not; without `party_id` those of its side. */
export async function readSettings(
  { portalSettings }: Pick<Stored, 'portalSettings'>,
  orgId: string,
  { side, party_id }: { side: Side; party_id?: string },
): Promise<PortalSettings> {
  const ids = party_id === undefined ? [undefined] : [undefined, party_id];
  const docs = await portalSettings
    .find({ _id: { $in: ids.map((one) => settingsId(orgId, side, one)) } })
    .toArray();
  return settingsFrom(docs);
}

/** @param docs of a side, and of one partner of it; either may be missing */
function settingsFrom(docs: readonly PortalSettingsDoc[]): PortalSettings {
  const ofSide = docs.find((doc) => doc.party_id === undefined);
  const own = docs.find((doc) => doc.party_id !== undefined);
  return settingsOf(PortalRules.parse({ ...ofSide?.rules, ...own?.rules }), {
    is_enabled: own?.is_enabled ?? false,
    logo_id: own?.logo_id ?? ofSide?.logo_id ?? null,
  });
}

/** A portal with its organization and partner. */
export interface PortalRecord {
  org: Pick<OrgDoc, 'name' | 'time_zone' | 'currency'>;
  party_name: string;
  settings: PortalSettings;
}

/**
 * Reads a portal by one command: every request of a partner does.
 * @returns null where the organization or the partner is gone
 */
export async function readPortalRecord(
  { orgs, portalSettings, buyers, suppliers }: Stored,
  orgId: string,
  { side, party_id }: Party,
): Promise<PortalRecord | null> {
  const ids = [undefined, party_id].map((one) => settingsId(orgId, side, one));
  const party = { _id: party_id, org_id: orgId };
  const [found] = await orgs
    .aggregate<OrgDoc & { settings: PortalSettingsDoc[]; parties: { name: string }[] }>([
      { $match: { _id: orgId } },
      joined(portalSettings.collectionName, 'settings', [{ $match: { _id: { $in: ids } } }]),
      joined(side === 'buyer' ? buyers.collectionName : suppliers.collectionName, 'parties', [
        { $match: side === 'buyer' ? party : { ...party, removed_at: { $exists: false } } },
        { $project: { name: 1 } },
      ]),
    ])
    .toArray();
  const named = found?.parties[0];
  if (!found || !named) return null;
  const { name, time_zone, currency, settings } = found;
  const org = { name, time_zone, currency };
  return { org, party_name: named.name, settings: settingsFrom(settings) };
}

/** Which of these partners' portals are open. */
export async function findOpenPortals(
  { portalSettings }: Pick<Stored, 'portalSettings'>,
  orgId: string,
  side: Side,
  partyIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const ids = partyIds.map((one) => settingsId(orgId, side, one));
  const found = await portalSettings
    .find({ _id: { $in: ids }, is_enabled: true }, { projection: { party_id: 1 } })
    .toArray();
  return new Set(found.flatMap(({ party_id }) => party_id ?? []));
}

const joined = (from: string, as: string, pipeline: Document[]): Document => ({
  $lookup: { from, as, pipeline },
});

export const settingsId = (orgId: string, side: Side, partyId: string | undefined): string =>
  [orgId, side, ...(partyId === undefined ? [] : [partyId])].join(':');
