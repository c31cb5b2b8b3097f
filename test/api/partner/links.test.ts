/** The campaigns that a partner is shown, of more than a portal lists. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type {
  CampaignBuyerDoc,
  CampaignSupplierDoc,
} from '../../../src/account/store/accountDocs.js';
import type { CampaignDoc } from '../../../src/account/store/campaignDoc.js';
import { linkId } from '../../../src/account/links/storeLink.js';
import { readLinks, readShownRules } from '../../../src/api/partner/buyer/campaigns.js';
import { CAMPAIGNS_MAX } from '../../../src/api/partner/links.js';
import { linksOf } from '../../../src/api/partner/supplier/links.js';
import type { PortalSettings } from '../../../src/portal/settingsSchema.js';
import { openDatabase, type TestDatabase } from '../../support/database.js';

const MORE = 5;
const OPEN = CAMPAIGNS_MAX + MORE;
const NOW = Date.parse('2026-11-21T12:00:00Z');

/** Ids in an order of their own: the age of a campaign says nothing about its id. */
const idOf = (n: number): string => `${String((n * 7919) % 10_007).padStart(5, '0')}-${n}`;

describe('the campaigns of a partner', () => {
  let database: TestDatabase;
  const contextOf = (party_id: string, org_id = 'org') => ({
    collections: database.collections,
    org_id,
    party_id,
  });

  beforeAll(async () => {
    database = await openDatabase();
    const { campaigns, campaignBuyers, campaignSuppliers } = database.collections;
    // Campaign 0 is the newest; as many archived ones are newer than every open one.
    const rows = Array.from({ length: OPEN + OPEN }, (_, n) => ({
      _id: idOf(n),
      org_id: 'org',
      name: `Campaign ${n}`,
      status: n < OPEN ? 'ARCHIVED' : 'ACTIVE',
      fields: n === 0 ? [{ name: 'of_archived', type: 'String', required: false }] : [],
      created_at: new Date(NOW - n * 1_000),
    }));
    await campaigns.insertMany(rows as unknown as CampaignDoc[]);
    const links = (party: 'buyer_id' | 'supplier_id') =>
      rows.map(({ _id: campaign_id, org_id }) => ({
        _id: linkId(campaign_id, party),
        org_id,
        campaign_id,
        [party]: party,
      }));
    await campaignBuyers.insertMany(links('buyer_id') as unknown as CampaignBuyerDoc[]);
    await campaignSuppliers.insertMany(links('supplier_id') as unknown as CampaignSupplierDoc[]);
  });
  afterAll(() => database.drop());

  /** The open ones that are listed, newest first. */
  const listed = Array.from({ length: CAMPAIGNS_MAX }, (_, n) => idOf(OPEN + n));

  it('are the newest of those that are not archived, for a supplier in the order of their names', async () => {
    const found = await linksOf(contextOf('supplier_id'));
    expect(found.map(({ campaign }) => campaign._id).toSorted()).toEqual(listed.toSorted());
    expect(found.every(({ link, campaign }) => link.campaign_id === campaign._id)).toBe(true);
    const names = found.map(({ campaign }) => campaign.name);
    expect(names).toEqual(names.toSorted((a, b) => a.localeCompare(b)));
  });

  it('are the same for a buyer, newest first', async () => {
    const found = await readLinks(contextOf('buyer_id'));
    expect(found.map(({ campaign_id }) => campaign_id)).toEqual(listed);
  });

  it('are none of another partner, nor of another organization', async () => {
    expect(await readLinks(contextOf('another'))).toEqual([]);
    expect(await linksOf(contextOf('another'))).toEqual([]);
    expect(await readLinks(contextOf('buyer_id', 'another'))).toEqual([]);
    expect(await linksOf(contextOf('supplier_id', 'another'))).toEqual([]);
  });

  it('give their fields to files and searches even when they are archived', async () => {
    const settings = { fields: null } as PortalSettings;
    const rules = await readShownRules({ ...contextOf('buyer_id'), settings });
    expect(rules.map(({ name }) => name)).toContain('of_archived');
  });
});
