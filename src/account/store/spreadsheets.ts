/**
 * The organization that owns each spreadsheet. All organizations write through one service account, so sharing a sheet
 * with it shares it with all of them: a spreadsheet belongs to the organization that named it first.
 */
import { lruMap } from '../../lib/lruMap.js';
import type { AccountCollections } from './collections.js';
import { isDuplicateKey } from '../../platform/mongo/databaseErrors.js';
import { index, type IndexRow } from '../../platform/mongo/indexRow.js';

type Named = Pick<AccountCollections, 'spreadsheets' | 'buyers' | 'automations' | 'campaignBuyers'>;

/** Milliseconds after which a spreadsheet that is named nowhere is free: a setup in progress has named it by then. */
const FREE_AFTER_MS = 3_600_000;

/**
 * Whether the organization owns it, or gets it by this call. Of concurrent callers one gets it. A spreadsheet that its
 * organization has not named for an hour, and names nowhere, goes to the next caller.
 */
export async function claimSpreadsheet(
  collections: Named,
  org_id: string,
  id: string,
  now = new Date(),
): Promise<boolean> {
  const { spreadsheets } = collections;
  const claim = () =>
    spreadsheets.updateOne({ _id: id, org_id }, { $max: { claimed_at: now } }, { upsert: true });
  try {
    await claim();
    return true;
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
  const held = await spreadsheets.findOne({ _id: id });
  // Two calls of one organization may both have tried to insert it: the one that failed owns it too.
  if (held?.org_id === org_id) return true;
  if (!held || Number(now) - Number(held.claimed_at) < FREE_AFTER_MS) return false;
  if (await isNamed(collections, held.org_id, id)) return false;
  const taken = await spreadsheets.updateOne(
    { _id: id, org_id: held.org_id, claimed_at: held.claimed_at },
    { $set: { org_id, claimed_at: now } },
  );
  return taken.modifiedCount === 1;
}

async function isNamed(
  { buyers, automations, campaignBuyers }: Named,
  org_id: string,
  id: string,
): Promise<boolean> {
  const found = await Promise.all([
    buyers.findOne({ 'delivery.spreadsheet_id': id, org_id }, by('delivery')),
    automations.findOne({ 'target.spreadsheet_id': id, org_id }, by('target')),
    campaignBuyers.findOne({ 'delivery.spreadsheet_id': id, org_id }, by('delivery')),
  ]);
  return found.some((one) => one !== null);
}

/** Uses this index: few records name a spreadsheet, and one organization may have thousands of each kind. */
const by = (settings: 'delivery' | 'target') => ({
  projection: { _id: 1 },
  hint: { [`${settings}.spreadsheet_id`]: 1 },
});

/** The text shown in a trail and wherever a delivery is shown. */
export const NOT_YOURS =
  'The spreadsheet is in use by another organization of this installation, and nothing was written';

const KNOWN_MAX = 5_000;
/** Milliseconds that a positive answer is cached. */
const KNOWN_MS = 60_000;

export type SheetOwners = ReturnType<typeof createSheetOwners>;

/** Checked before each row is written: a sheet set up before sheets had owners gets one with its first row. */
export function createSheetOwners(collections: Named, now: () => number = () => performance.now()) {
  const known = lruMap<string, number>(KNOWN_MAX);
  return {
    /** @throws {Error} when MongoDB is unavailable */
    async mayWrite(orgId: string, spreadsheetId: string): Promise<boolean> {
      const key = `${orgId} ${spreadsheetId}`;
      if (now() - (known.get(key) ?? -Infinity) < KNOWN_MS) return true;
      const isOwn = await claimSpreadsheet(collections, orgId, spreadsheetId);
      if (isOwn) known.set(key, now());
      return isOwn;
    },
  };
}

export const SPREADSHEET_INDEXES: IndexRow[] = [
  ['buyers', 'delivery'],
  ['campaign_buyers', 'delivery'],
  ['automations', 'target'],
].map(([collection = '', settings = '']) =>
  index(
    collection,
    { [`${settings}.spreadsheet_id`]: 1 },
    'whether its organization still uses a spreadsheet; spreadsheets of buyers',
    { sparse: true },
  ),
);
