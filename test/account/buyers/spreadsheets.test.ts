/** A spreadsheet belongs to the organization that named it first: all of them write by one service account. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { claimStored } from '../../../src/account/repair/spreadsheets.js';
import { createBuyer, updateBuyer } from '../../../src/account/buyers/buyers.js';
import { systemClock } from '../../../src/lib/clock.js';
import { createRepairStore } from '../../../src/platform/mongo/repairs.js';
import { claimSpreadsheet, createSheetOwners } from '../../../src/account/store/spreadsheets.js';
import { faultsOf, startActionsApi, type ActionsApi } from '../../support/api.js';
import { openDatabase } from '../../support/database.js';
import { accountOf, makeOrg } from '../../support/org.js';

type Database = Awaited<ReturnType<typeof openDatabase>>;
const policy = { allowPrivate: true, sheets: true };
const aSheet = () => `sheet-${randomUUID()}`;

describe('a spreadsheet', () => {
  let database: Database;
  let api: ActionsApi;
  beforeAll(async () => {
    [database, api] = await Promise.all([openDatabase(), startActionsApi({ policy })]);
  });
  afterAll(() => Promise.all([database.drop(), api.stop()]));

  const org = async (): Promise<string> =>
    (await makeOrg(database.collections, `Org ${randomUUID()}`))._id;
  const withSheet = (org_id: string, spreadsheet_id: string) =>
    createBuyer(accountOf(database, org_id), {
      name: `Buyer ${randomUUID()}`,
      delivery: { method: 'GOOGLE_SHEET', spreadsheet_id },
    });

  it('belongs to exactly one of many organizations that name it at once', async () => {
    const id = aSheet();
    const orgs = await Promise.all(Array.from({ length: 12 }, org));
    const made = await Promise.allSettled(orgs.map((one) => withSheet(one, id)));
    const winners = orgs.filter((_, n) => made[n]?.status === 'fulfilled');
    expect(winners).toHaveLength(1);
    const { collections } = database;
    expect(await collections.buyers.countDocuments({ 'delivery.spreadsheet_id': id })).toBe(1);
    const [winner = ''] = winners;
    await expect(withSheet(winner, id)).resolves.toBeDefined();
    const other = orgs.find((one) => one !== winner) ?? '';
    expect(await createSheetOwners(collections).mayWrite(other, id)).toBe(false);
    expect(await createSheetOwners(collections).mayWrite(winner, id)).toBe(true);
  });

  it('is free for another organization an hour after its last use', async () => {
    const { collections } = database;
    const [id, first, second] = [aSheet(), await org(), await org()];
    const { buyer } = await withSheet(first, id);
    const later = new Date(Date.now() + 3_700_000);
    expect(await claimSpreadsheet(collections, second, id, later)).toBe(false);
    await updateBuyer(accountOf({ collections }, first), buyer._id, {
      delivery: { method: 'STORE' },
    });
    expect(await claimSpreadsheet(collections, second, id)).toBe(false);
    const asked = [second, await org()].map((one) => claimSpreadsheet(collections, one, id, later));
    expect((await Promise.all(asked)).toSorted()).toEqual([false, true]);
  });

  it('without an owner goes to the organization that used it first, by one repair', async () => {
    const { collections, db } = database;
    const [id, first, second] = [aSheet(), await org(), await org()];
    const older = await withSheet(first, id);
    await collections.spreadsheets.deleteOne({ _id: id });
    await withSheet(second, id);
    await collections.spreadsheets.deleteMany({});
    await collections.buyers.updateOne(
      { _id: older.buyer._id },
      { $set: { created_at: new Date(0) } },
    );
    const deps = { collections, repairs: createRepairStore(db), clock: systemClock };
    expect(await claimStored(deps)).toBeGreaterThan(0);
    expect(await collections.spreadsheets.findOne({ _id: id })).toMatchObject({ org_id: first });
    expect(await claimStored(deps)).toBe(0);
  });

  it('of another organization is refused by each action, without naming that organization', async () => {
    const id = aSheet();
    const [one, other] = [await api.org(), await api.org()];
    await api.done(one, 'create_automation', {
      trigger: 'lead.accepted',
      action: 'GOOGLE_SHEET',
      target: { spreadsheet_id: id },
    });
    const message = (prefix: string) => [
      422,
      `${prefix}spreadsheet_id names a spreadsheet that another organization of this installation uses. Use a spreadsheet of your own.`,
    ];
    const target = { spreadsheet_id: id };
    expect(
      await faultsOf(api, other, 'create_automation', {
        trigger: 'lead.accepted',
        action: 'GOOGLE_SHEET',
        target,
      }),
    ).toEqual(message('target.'));
    const delivery = { method: 'GOOGLE_SHEET', spreadsheet_id: id };
    expect(await faultsOf(api, other, 'create_buyer', { name: 'A', delivery })).toEqual(
      message('delivery.'),
    );
    const buyer = await api.done<{ id: string }>(other, 'create_buyer', { name: 'B' });
    expect(
      await faultsOf(api, other, 'set_buyer_delivery', { buyer_id: buyer.id, ...delivery }),
    ).toEqual(message(''));
    const own = await api.done<{ id: string }>(other, 'create_automation', {
      trigger: 'lead.accepted',
      action: 'GOOGLE_SHEET',
      target: { spreadsheet_id: aSheet() },
    });
    expect(
      await faultsOf(api, other, 'update_automation', { automation_id: own.id, target }),
    ).toEqual(message('target.'));
  });
});
