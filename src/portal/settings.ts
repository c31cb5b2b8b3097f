/** The settings of partners' portals: those of a side, and what one partner has in their place. */
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

type Stored = Pick<PortalCollections, 'portalSettings' | 'buyers' | 'suppliers'>;

/**
 * What the partner's portal goes by, read anew each time: a portal that is closed gives nothing from the next request
 * on, in every process.
 * @returns null where it is not open, or there is no such partner any more
 */
export async function portalOf(
  collections: Stored,
  orgId: string,
  scope: PortalScope,
): Promise<PortalSettings | null> {
  const party = partyOf(scope);
  if (!party) return null;
  const [settings, isThere] = await Promise.all([
    readSettings(collections, orgId, party),
    hasParty(collections, orgId, party),
  ]);
  return settings.is_enabled && isThere ? settings : null;
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
  const ofSide = docs.find((doc) => doc.party_id === undefined);
  return settingsOver(
    ofSide,
    docs.find((doc) => doc.party_id !== undefined),
  );
}

const settingsOver = (
  ofSide: PortalSettingsDoc | undefined,
  own: PortalSettingsDoc | undefined,
): PortalSettings =>
  settingsOf(PortalRules.parse({ ...ofSide?.rules, ...own?.rules }), {
    is_enabled: own?.is_enabled ?? false,
    logo_id: own?.logo_id ?? ofSide?.logo_id ?? null,
  });

export const settingsId = (orgId: string, side: Side, partyId: string | undefined): string =>
  [orgId, side, ...(partyId === undefined ? [] : [partyId])].join(':');

async function hasParty(
  { buyers, suppliers }: Pick<Stored, 'buyers' | 'suppliers'>,
  org_id: string,
  { side, party_id: _id }: Party,
): Promise<boolean> {
  const projection = { _id: 1 };
  const found =
    side === 'buyer'
      ? await buyers.findOne({ _id, org_id }, { projection })
      : await suppliers.findOne({ _id, org_id, removed_at: { $exists: false } }, { projection });
  return found !== null;
}
