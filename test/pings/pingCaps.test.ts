import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { hashKey } from '../../src/platform/security/keys.js';
import { bumpVersion } from '../../src/account/plans/unpublished.js';
import { bidsOf, startPingScene, type PingMarket, type PingScene } from './pingScene.js';

describe('a ping', () => {
  let scene: PingScene;

  beforeAll(async () => {
    scene = await startPingScene();
  });
  afterAll(() => scene.stop());

  describe('of a link with a ping cap', () => {
    const oneByOne = async (market: PingMarket, times: number, fields = {}) => {
      const seen: unknown[] = [];
      for (let n = 0; n < times; n++) seen.push(bidsOf(await market.ping(fields), market));
      return seen;
    };

    it('is capped once its supplier has used its pings of the day', async () => {
      const market = await scene.market({ suppliers: 2, terms: { daily_ping_cap: 3 } });
      const answers = await Promise.all(Array.from({ length: 10 }, () => market.ping()));
      const bids = answers.map((answer) => bidsOf(answer, market));
      expect(bids.filter((one) => one === 'capped')).toHaveLength(7);
      expect(bidsOf(await market.ping({}, { supplier: 1 }), market)).toEqual(['only 4']);
      const stored = await market.stored();
      expect(stored.filter(({ state }) => state === 'open')).toHaveLength(4);
      const refused = stored.find(({ state }) => state === 'refused');
      expect(refused?.unbid).toEqual([
        {
          buyer_id: market.account.buyers.only,
          reason: 'supplier_ping_cap',
          detail: { daily_ping_cap: 3 },
        },
      ]);
    });

    it('continues without a buyer whose ping cap is full, and is capped when all are full', async () => {
      const market = await scene.market({
        buyers: { two: { terms: { daily_ping_cap: 2 } }, three: { terms: { daily_ping_cap: 3 } } },
      });
      expect(await oneByOne(market, 4)).toEqual([
        ['two 4', 'three 4'],
        ['two 4', 'three 4'],
        ['three 4'],
        'capped',
      ]);
      const last = (await market.stored()).at(-1)?.unbid ?? [];
      const why = last.map(({ buyer_id, reason }) => `${market.nameOf(buyer_id)} ${reason}`);
      expect(why.sort()).toEqual(['three ping_cap', 'two ping_cap']);
    });

    it('does not count pings refused for other reasons, or tests', async () => {
      const market = await scene.market({
        buyers: { only: { states: ['TX'] }, tester: { terms: { test_mode: true } } },
        terms: { daily_ping_cap: 1 },
      });
      expect(await oneByOne(market, 2, { state: 'CA' })).toEqual(['no_buyer', 'no_buyer']);
      expect(await oneByOne(market, 2, { test_lead: true })).toEqual([['tester 4'], ['tester 4']]);
      expect(await oneByOne(market, 2)).toEqual([['only 4'], 'capped']);
    });
  });

  it('is a test with a test_lead or from a source in Test Mode, and counts nowhere', async () => {
    const market = await scene.market({
      buyers: { real: {}, tester: { terms: { test_mode: true } } },
    });
    expect(bidsOf(await market.ping({ test_lead: 'true' }), market)).toEqual(['tester 4']);
    await market.change(({ suppliers }) => ({
      suppliers: Object.fromEntries(
        Object.entries(suppliers).map(([id, one]) => [id, { ...one, test_mode: true }]),
      ),
    }));
    expect(bidsOf(await market.ping(), market)).toEqual(['tester 4']);
    const stored = await market.stored();
    expect(stored.map(({ is_test, uncounted }) => [is_test, uncounted])).toEqual([
      [true, undefined],
      [true, undefined],
    ]);
  });

  it('is refused once its key is revoked, at the very next ping', async () => {
    const market = await scene.market();
    expect((await market.ping()).status).toBe(200);
    const { suppliers, orgId } = market.account;
    const _id = hashKey(suppliers[0]?.key ?? '');
    await scene.bed.collections.apiKeys.updateOne({ _id }, { $set: { revoked_at: new Date() } });
    await bumpVersion(scene.bed.collections, orgId);
    expect(await market.ping()).toMatchObject({ status: 401, json: { error: 'unauthorized' } });
  });

  it('shows stable aliases of its buyers where the campaign hides them', async () => {
    const market = await scene.market({ suppliers: 2, ping: { reveal_buyers: false } });
    const idOf = async (supplier: number) => {
      const { json } = await market.ping({}, { supplier });
      return (json?.buyers as { buyer_id: string }[]).map(({ buyer_id }) => buyer_id).join();
    };
    const [first, again, other] = [await idOf(0), await idOf(0), await idOf(1)];
    expect(first).toMatch(/^b_[\w-]{22}$/);
    expect(again).toBe(first);
    expect(other).not.toBe(first);
    expect(Object.values(market.account.buyers)).not.toContain(first);
    expect((await market.stored())[0]).toMatchObject({ reveal_buyers: false });
  });
});
