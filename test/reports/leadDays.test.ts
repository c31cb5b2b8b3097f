import { describe, expect, it } from '@jest/globals';
import { MongoClient, type CommandStartedEvent } from 'mongodb';
import { collections as collectionsOf } from '../../src/app/database.js';
import type { RollDeps } from '../../src/reports/countBatches.js';
import { readLeadDays, totalOf, type PartyScope } from '../../src/reports/leadDays.js';
import { readReport } from '../../src/reports/report.js';
import { createRollupStore } from '../../src/reports/store/rollups.js';
import { aChange, applyAll } from '../outcomes/changes.js';
import { testStack } from '../support/stack.js';
import { rollDeps } from './rolled.js';
import { openTrade } from './trading.js';

const DAYS = { orgId: 'org', from: '2026-11-01', to: '2026-11-30' };
const PARTIES = [{ supplier_id: 'supplier' }, { buyer_id: 'buyer-1' }, { buyer_id: 'buyer-2' }];

describe("a partner's leads by day", () => {
  const { database, roll, sell, store, owned, trade } = openTrade();
  const deps = (): RollDeps => rollDeps(database.collections);
  const readAll = () =>
    Promise.all(PARTIES.map((party) => readLeadDays(deps(), { ...DAYS, ...party })));

  /** Reads give the same before and after the leads are counted, and agree with a report. */
  const expectSame = async () => {
    const early = await readAll();
    await roll();
    const late = await readAll();
    expect(early).toEqual(late);
    for (const [n, party] of PARTIES.entries()) {
      const { rows } = await readReport(deps(), { ...DAYS, ...party }, 'day');
      const sold = rows.reduce((sum, { sales }) => sum + sales, 0);
      expect(totalOf(late[n] ?? []).sales).toBe(sold);
    }
    return late;
  };

  it('has leads that are not counted yet, as if they were', async () => {
    await trade('a');
    const [supplier, buyer] = await expectSame();
    expect(supplier).toMatchObject([
      {
        campaign_id: 'campaign',
        day: '2026-11-21',
        by_status: { ACCEPTED: { leads: 2, cost: 8 }, UNMATCHED: { leads: 1 } },
      },
    ]);
    expect(buyer).toMatchObject([{ by_status: { ACCEPTED: { sales: 2, revenue: 20 } } }]);
  });

  it('follows leads that change after they were counted', async () => {
    await trade('a');
    await roll();
    await Promise.all([sell('a-1', 2, 2), sell('a-3')]);
    const returned = aChange('a-0', {
      buyer_id: 'buyer-1',
      ask: { kind: 'return', return_id: 'r', reason: 'other', reverse_cost: true },
    });
    await database.collections.outcomes.insertMany([returned]);
    await applyAll([returned], database.collections);
    const [, first, second] = await expectSame();
    expect(totalOf(first ?? [])).toMatchObject({ sales: 3, returned: 1 });
    expect(totalOf(second ?? [])).toMatchObject({ sales: 1 });
  });

  it('keeps to the days and the campaign that are asked for', async () => {
    const on = (day: string) => new Date(`2026-11-${day}T12:00:00Z`);
    await store().insert([
      owned('old', { created_at: on('10') }),
      owned('new', { created_at: on('20') }),
      owned('other', { created_at: on('20'), campaign_id: 'second' }),
    ]);
    await Promise.all(['old', 'new', 'other'].map((id) => sell(id)));
    const sold = async (more: Partial<PartyScope>) => {
      const scope = { ...DAYS, buyer_id: 'buyer-1', ...more };
      return (await readLeadDays(deps(), scope)).map(({ day, campaign_id }) => [day, campaign_id]);
    };
    const [first, second] = [
      ['2026-11-20', 'campaign'],
      ['2026-11-20', 'second'],
    ];
    for (let turn = 0; turn < 2; turn++) {
      expect(await sold({ campaign_id: 'second' })).toEqual([second]);
      expect((await sold({ from: '2026-11-15' })).toSorted()).toEqual([first, second]);
      expect(await sold({ to: '2026-11-15' })).toEqual([['2026-11-10', 'campaign']]);
      expect((await sold({})).at(-1)).toEqual(['2026-11-10', 'campaign']);
      await roll();
    }
  });

  it('loses a lead whose sale has moved to another buyer since it was counted', async () => {
    await trade('a');
    await roll();
    const moved = { $set: { 'sales.0.buyer_id': 'buyer-2', uncounted: true as const } };
    await database.collections.leads.updateOne({ _id: 'a-0' }, { ...moved, $inc: { changes: 1 } });
    const [, first, second] = await expectSame();
    expect([first, second].map((days) => totalOf(days ?? []).sales)).toEqual([1, 1]);
  });

  it('writes nothing', async () => {
    await trade('a');
    await createRollupStore(deps()).settled();
    const { mongodbUri } = testStack();
    const { dbName } = database.collections.leads;
    const client = await MongoClient.connect(mongodbUri, { monitorCommands: true });
    const sent: string[] = [];
    client.on('commandStarted', (event: CommandStartedEvent) => sent.push(event.commandName));
    const watched = rollDeps(collectionsOf(client.db(dbName)));
    const days = await readLeadDays(watched, { ...DAYS, buyer_id: 'buyer-1' });
    await client.close();
    expect(totalOf(days).sales).toBe(2);
    expect(sent.filter((command) => command === 'find').length).toBeGreaterThan(0);
    expect(
      sent.filter((command) => ['update', 'insert', 'findAndModify'].includes(command)),
    ).toEqual([]);
  });
});
