import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { claimIdOf } from '../../src/leads/rules/dedupe.js';
import { buyerCap, campaignCap, supplierCap } from '../../src/routing/store/caps.js';
import { hashMd5 } from '../../src/account/suppression/hashMd5.js';
import { windowsNow } from '../support/org.js';
import { aLead } from '../support/storedRows.js';
import { bidsOf, startPingScene, type PingMarket, type PingScene } from './pingScene.js';

const NO_COUNTS = { count: 0, amount: 0 };

describe('a ping without bids', () => {
  let scene: PingScene;

  beforeAll(async () => {
    scene = await startPingScene();
  });
  afterAll(() => scene.stop());

  const reasons = async (market: PingMarket) =>
    (await market.stored()).map(({ state, reason, unbid }) => ({
      state,
      reason,
      unbid: unbid.map((one) => `${market.nameOf(one.buyer_id)} ${one.reason}`),
    }));

  /** A link that has counted this many today. */
  const counted = (id: string, count: number, day?: string) => {
    const keys = windowsNow();
    return scene.bed.collections.caps.insertOne({
      _id: id,
      day: { key: day ?? keys.day, count, amount: count * 1_000_000 },
      week: { key: keys.week, ...NO_COUNTS },
      month: { key: keys.month, ...NO_COUNTS },
      total: { key: 'all', ...NO_COUNTS },
      held: [],
    });
  };

  it('is refused by the filters of the campaign, and kept for 3 days', async () => {
    const market = await scene.market();
    const rule = { id: 'f1', field: 'state', operator: 'IN' as const, value: ['TX'] };
    await market.change(() => ({ filters: { all: [rule] } }));
    const reply = await market.ping({ state: 'CA' });
    expect(reply.status).toBe(200);
    expect(reply.json).toEqual({
      accepted: false,
      reason: 'filtered',
      message: 'The lead does not pass the filters of the campaign.',
    });
    const [stored] = await market.stored();
    expect(stored).toMatchObject({ state: 'refused', reason: 'filtered', bids: [] });
    expect(stored?.filter_errors?.[0]).toMatchObject({ filter_id: 'f1', field: 'state' });
    expect(JSON.stringify(stored)).not.toContain('"CA"');
    expect(Number(stored?.forget_at) - Number(stored?.created_at)).toBe(3 * 86_400_000);
  });

  it('is refused while campaign or source is paused; a test ping passes', async () => {
    const market = await scene.market({ buyers: { live: {}, tester: {} } });
    const tester = market.account.buyers.tester;
    await market.change(({ buyers }) => ({
      status: 'PAUSED',
      buyers: buyers.map((one) => ({ ...one, test_mode: one.buyer_id === tester })),
    }));
    expect(bidsOf(await market.ping(), market)).toBe('paused');
    expect(bidsOf(await market.ping({ test_lead: true }), market)).toEqual(['tester 4']);
    await market.change(({ suppliers }) => ({
      status: 'ACTIVE',
      suppliers: Object.fromEntries(
        Object.entries(suppliers).map(([id, one]) => [id, { ...one, status: 'paused' as const }]),
      ),
    }));
    expect(bidsOf(await market.ping(), market)).toBe('paused');
    expect(bidsOf(await market.ping({ test_lead: '1' }), market)).toEqual(['tester 4']);
  });

  it('is refused by a suppression list for its phone or email', async () => {
    const market = await scene.market({ buyers: { listed: {}, other: {} } });
    const [phone, email] = ['+14155550177', 'gone@example.com'];
    const ref = { list_id: `list-${market.account.campaignId}`, scope: 'campaign' as const };
    const own = {
      list_id: `own-${market.account.campaignId}`,
      scope: 'buyer' as const,
      buyer_id: market.account.buyers.listed ?? '',
    };
    await scene.bed.collections.suppressions.insertMany([
      { _id: `${ref.list_id}:${hashMd5(phone)}` },
      { _id: `${own.list_id}:${hashMd5(email)}` },
    ]);
    await market.change(() => ({ suppression: [ref, own] }));
    expect(bidsOf(await market.ping(), market)).toEqual(['listed 4', 'other 4']);
    expect(bidsOf(await market.ping({ phone }), market)).toBe('suppressed');
    expect(bidsOf(await market.ping({ email }), market)).toEqual(['other 4']);
    expect((await reasons(market))[2]?.unbid).toEqual(['listed suppressed']);
  });

  describe('for a repeated person', () => {
    const phone = '+14155550188';
    const repeated = async (
      market: PingMarket,
      buyer: string | null,
      ageDays = 1,
      key = { field: 'phone', value: phone },
    ) => {
      const { campaignId } = market.account;
      const lead = aLead({
        campaign_id: campaignId,
        status: 'ACCEPTED',
        buyer_id: buyer,
        created_at: new Date(Date.now() - ageDays * 86_400_000),
      });
      const hash = (text: string) => scene.bed.keyring.claimHash(text);
      await scene.bed.collections.leads.insertOne(lead);
      await scene.bed.collections.claims.insertOne({
        _id: claimIdOf(campaignId, key, hash),
        lead_id: lead._id,
        at: new Date(),
        expires_at: new Date(Date.now() + 86_400_000),
      });
    };
    const dedupe = { window_days: 30, fields: ['phone', 'email'], match: 'ANY' as const };

    it('is a duplicate of a lead whose address an earlier release claimed as it was typed', async () => {
      const market = await scene.market();
      await market.change(() => ({ dedupe: { ...dedupe, on_duplicate: 'REJECT' } }));
      const key = { field: 'email', value: 'ada@bücher.example' };
      await repeated(market, market.account.buyers.only ?? '', 1, key);
      for (const email of ['ada@BÜCHER.example', 'ada@xn--bcher-kva.example'])
        expect(bidsOf(await market.ping({ email }), market)).toBe('duplicate');
    });

    it('is a duplicate, unless the window has passed, or pings are not checked', async () => {
      const market = await scene.market();
      await market.change(() => ({ dedupe: { ...dedupe, on_duplicate: 'REJECT' } }));
      await repeated(market, market.account.buyers.only ?? '');
      expect(bidsOf(await market.ping({ phone }), market)).toBe('duplicate');
      expect(bidsOf(await market.ping({ phone: '4155550189' }), market)).toEqual(['only 4']);
      expect(bidsOf(await market.ping(), market)).toEqual(['only 4']);
      const claims = await scene.bed.collections.claims.countDocuments({
        _id: new RegExp(`^${market.account.campaignId}:`),
      });
      expect(claims).toBe(1);
      await market.change(({ dedupe: now }) => ({ dedupe: { ...now, match: 'ALL' } }));
      expect(bidsOf(await market.ping({ phone }), market)).toEqual(['only 4']);
      await market.change(({ ping }) => ({
        dedupe: { ...dedupe, on_duplicate: 'REJECT' },
        ...(ping ? { ping: { ...ping, check_duplicates: false } } : {}),
      }));
      expect(bidsOf(await market.ping({ phone }), market)).toEqual(['only 4']);

      const past = await scene.market();
      await past.change(() => ({ dedupe: { ...dedupe, on_duplicate: 'REJECT' } }));
      await repeated(past, past.account.buyers.only ?? '', 30);
      expect(bidsOf(await past.ping({ phone }), past)).toEqual(['only 4']);
    });

    it('is offered only to the buyer of the original where repeats are routed to it', async () => {
      const market = await scene.market({ buyers: { dear: { price: 90 }, original: {} } });
      await market.change(() => ({ dedupe: { ...dedupe, on_duplicate: 'ROUTE_TO_ORIGINAL' } }));
      await repeated(market, market.account.buyers.original ?? '');
      expect(bidsOf(await market.ping({ phone }), market)).toEqual(['original 4']);
      expect((await reasons(market))[0]?.unbid).toEqual(['dear not_original']);

      const undecided = await scene.market();
      await undecided.change(() => ({ dedupe: { ...dedupe, on_duplicate: 'ROUTE_TO_ORIGINAL' } }));
      await repeated(undecided, null);
      expect(bidsOf(await undecided.ping({ phone }), undecided)).toBe('duplicate');
    });
  });

  it('has no buyer when each is left out, with the reason of each', async () => {
    const market = await scene.market({
      buyers: {
        paused: { terms: { status: 'paused' } },
        tester: { terms: { test_mode: true } },
        resting: {},
        cheap: { price: 0.5 },
      },
      terms: { cost_mode: 'NONE' },
      ping: { min_bid: 1_000_000 },
    });
    const { resting = '' } = market.account.buyers;
    await scene.bed.collections.destinations.insertOne({
      _id: resting,
      org_id: market.account.orgId,
      awake: false,
      awake_at: new Date(),
      failures: 5,
      pauses: 1,
      open_until: new Date(Date.now() + 60_000),
      retry_at: null,
    });
    expect(bidsOf(await market.ping(), market)).toBe('no_buyer');
    const [stored] = await reasons(market);
    expect(stored?.unbid.sort()).toEqual([
      'cheap below_min_bid',
      'paused paused',
      'resting breaker_open',
      'tester test_mode_only',
    ]);
  });

  it('is capped by a full cap of the campaign, the supplier, or each buyer', async () => {
    const caps = { daily_cap: 5 };
    const ofCampaign = await scene.market();
    await ofCampaign.change(() => ({ caps }));
    await counted(campaignCap(ofCampaign.account.campaignId), 5);
    expect(bidsOf(await ofCampaign.ping(), ofCampaign)).toBe('capped');

    const ofSupplier = await scene.market({ terms: { caps } });
    const { campaignId, suppliers } = ofSupplier.account;
    await counted(supplierCap(campaignId, suppliers[0]?.id ?? ''), 5);
    expect(bidsOf(await ofSupplier.ping(), ofSupplier)).toBe('capped');

    const ofBuyers = await scene.market({
      buyers: { full: { terms: { caps } }, yesterday: { terms: { caps } } },
    });
    const { full = '', yesterday = '' } = ofBuyers.account.buyers;
    await counted(buyerCap(ofBuyers.account.campaignId, full), 5);
    await counted(buyerCap(ofBuyers.account.campaignId, yesterday), 5, '2020-01-01');
    expect(bidsOf(await ofBuyers.ping(), ofBuyers)).toEqual(['yesterday 4']);
    await ofBuyers.change(({ buyers }) => ({
      buyers: buyers.filter(({ buyer_id }) => buyer_id === full),
    }));
    expect(bidsOf(await ofBuyers.ping(), ofBuyers)).toBe('capped');
    expect((await reasons(ofBuyers)).map(({ unbid }) => unbid)).toEqual([
      ['full buyer_cap'],
      ['full buyer_cap'],
    ]);
  });
});
