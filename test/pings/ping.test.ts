import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bidsOf, startPingScene, type PingScene } from './pingScene.js';

const PERSON = {
  first_name: 'Jane',
  last_name: 'Roe',
  phone: '(415) 555-0134',
  email: 'jane.roe@example.com',
  state: 'CA',
  zip_code: '94103',
};

describe('a ping', () => {
  let scene: PingScene;

  beforeAll(async () => {
    scene = await startPingScene();
  });
  afterAll(() => scene.stop());

  describe('with bids', () => {
    it('is answered with the bids, best first, and a token that names it', async () => {
      const market = await scene.market({
        buyers: { low: { price: 10 }, high: { price: 25.5 }, middle: { price: 20 } },
        terms: { cost_mode: 'NONE' },
        ping: { margin: { percent: 10 } },
      });
      const before = Date.now();
      const reply = await market.ping(PERSON);
      expect(reply.status).toBe(200);
      expect(reply.headers['cache-control']).toBe('no-store');
      expect(bidsOf(reply, market)).toEqual(['high 22.95', 'middle 18', 'low 9']);
      expect(reply.json?.message).toMatch(/^3 buyers bid\. Post the lead .* as flo_ping_id/);

      const [stored] = await market.stored();
      const { orgId, campaignId, suppliers } = market.account;
      const read = await scene.service.deps.pingTokens.read(String(reply.json?.ping_id));
      expect(read).toMatchObject({
        kind: 'valid',
        claims: {
          ping_id: stored?._id,
          org_id: orgId,
          campaign_id: campaignId,
          supplier_id: suppliers[0]?.id,
        },
      });
      expect(reply.json?.expires_at).toBe(stored?.expires_at.toISOString());
      const validMs = Number(stored?.expires_at) - before;
      expect(validMs).toBeGreaterThanOrEqual(1_800_000);
      expect(validMs).toBeLessThan(1_805_000);
    });

    it('creates no lead, and stores no personal data', async () => {
      const market = await scene.market();
      await market.ping(PERSON);
      const [stored] = await market.stored();
      expect(await scene.bed.collections.leads.countDocuments()).toBe(0);
      expect(stored).toMatchObject({ state: 'open', is_test: false, uncounted: true });
      expect(Object.keys(stored?.digests ?? {}).sort()).toEqual(Object.keys(PERSON).sort());
      const text = JSON.stringify(stored);
      for (const value of ['Jane', 'Roe', '5550134', 'example.com', '94103', '"CA"']) {
        expect(text).not.toContain(value);
      }
    });

    it('needs no field but the two ids', async () => {
      const market = await scene.market();
      expect(bidsOf(await market.ping(), market)).toEqual(['only 4']);
      expect((await market.stored())[0]?.digests).toEqual({});
    });

    it('is also read from a form, and with ids in capitals', async () => {
      const market = await scene.market();
      const { campaignId, suppliers } = market.account;
      const [supplier] = suppliers;
      const body = new URLSearchParams({
        flo_campaign_id: campaignId.toUpperCase(),
        flo_supplier_id: supplier?.id.toUpperCase() ?? '',
        state: 'ca',
      });
      const reply = await fetch(`${scene.service.url}/api/v1/ping`, {
        method: 'POST',
        headers: { 'x-api-key': supplier?.key ?? '' },
        body,
      });
      expect(await reply.json()).toMatchObject({ accepted: true });
    });

    it('orders equal bids by priority, and then by the longest wait', async () => {
      const market = await scene.market({
        buyers: { b: { priority: 2 }, a: { priority: 2 }, first: { priority: 1 } },
      });
      const { campaignId, buyers } = market.account;
      const last = { [buyers.b ?? '']: 7, [buyers.a ?? '']: 3 };
      await scene.bed.collections.turns.insertOne({ _id: campaignId, seq: 9, last });
      expect(bidsOf(await market.ping(), market)).toEqual(['first 4', 'a 4', 'b 4']);
    });

    it('is open for PING_VALID_SECONDS, and kept for 30 days', async () => {
      const market = await scene.market();
      await market.ping();
      const [stored] = await market.stored();
      const from = Number(stored?.created_at);
      expect(Number(stored?.expires_at) - from).toBe(1_800_000);
      expect(Number(stored?.forget_at) - from).toBe(30 * 86_400_000);
    });
  });

  describe('with part of the data', () => {
    const texas = { id: 'f1', field: 'state', operator: 'IN' as const, value: ['TX'] };

    it('leaves filters on absent fields to the post', async () => {
      const market = await scene.market();
      await market.change(() => ({ filters: { all: [texas] } }));
      expect(bidsOf(await market.ping(), market)).toEqual(['only 4']);
      expect(bidsOf(await market.ping({ state: 'TX' }), market)).toEqual(['only 4']);
      expect(bidsOf(await market.ping({ state: 'CA' }), market)).toBe('filtered');
    });

    it('keeps a buyer of some states until the state is known', async () => {
      const market = await scene.market({ buyers: { texan: { states: ['TX'] }, any: {} } });
      expect(bidsOf(await market.ping(), market)).toEqual(['texan 4', 'any 4']);
      expect(bidsOf(await market.ping({ state: 'CA' }), market)).toEqual(['any 4']);
      const [, told] = await market.stored();
      expect(told?.unbid).toEqual([
        {
          buyer_id: market.account.buyers.texan,
          reason: 'state_not_served',
          detail: { served: ['TX'] },
        },
      ]);
    });
  });

  describe('that is not valid', () => {
    it('gets every field that is wrong', async () => {
      const market = await scene.market({
        campaign: {
          fields: [
            { name: 'case_type', type: 'String', required: true, ping_required: true },
            { name: 'age', type: 'Number', required: true, ping_required: false },
          ],
        },
      });
      const reply = await market.ping({
        phone: '12',
        age: 'old',
        extra: { not: 'scalar' },
        test_lead: 'perhaps',
      });
      expect(reply.status).toBe(400);
      expect(reply.json).toMatchObject({ error: 'validation_failed' });
      const errors = reply.json?.field_errors as { field: string; code: string }[];
      expect(Object.fromEntries(errors.map(({ field, code }) => [field, code]))).toEqual({
        case_type: 'required',
        phone: 'invalid_format',
        age: 'invalid_format',
        extra: 'invalid_type',
        test_lead: 'invalid_type',
      });
      expect((await market.ping({ case_type: 'injury' })).status).toBe(200);
      expect(await market.stored()).toHaveLength(1);
    });

    it('is refused by a DIRECT_POST campaign', async () => {
      const market = await scene.market({ campaign: { routing_method: 'DIRECT_POST' } });
      const reply = await market.ping();
      expect(reply.status).toBe(400);
      expect(reply.json?.field_errors).toEqual([
        {
          field: 'flo_campaign_id',
          code: 'not_allowed',
          message: expect.stringContaining('/api/v1/ingest') as unknown as string,
        },
      ]);
    });

    it('is refused for a wrong key, supplier or campaign', async () => {
      const [market, other] = await Promise.all([scene.market(), scene.market()]);
      const theirs = { key: other.account.suppliers[0]?.key ?? '' };
      const codes = async (...[fields, options]: Parameters<typeof market.ping>) => {
        const { status, json } = await market.ping(fields, options);
        return [status, json?.error];
      };
      expect(await codes({}, { key: 'lw_live_nobody' })).toEqual([401, 'unauthorized']);
      expect(await codes({}, theirs)).toEqual([404, 'campaign_not_found']);
      expect(await codes({ flo_campaign_id: 'none' })).toEqual([404, 'campaign_not_found']);
      const supplier_id = other.account.suppliers[0]?.id;
      expect(await codes({ flo_supplier_id: supplier_id })).toEqual([403, 'forbidden']);
      expect(await codes({ flo_campaign_id: 7 })).toEqual([400, 'validation_failed']);
      expect(await market.stored()).toEqual([]);
    });

    it('is refused once the link is removed', async () => {
      const market = await scene.market();
      expect((await market.ping()).status).toBe(200);
      await market.change(() => ({ suppliers: {} }));
      expect(await market.ping()).toMatchObject({ status: 403, json: { error: 'forbidden' } });
    });
  });
});
