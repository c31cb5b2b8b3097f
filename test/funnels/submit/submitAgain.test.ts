/** Pages submitted again, late, or to a funnel that was closed meanwhile: one page, one lead. */
import { accountOf } from '../../support/org.js';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { updateCampaign } from '../../../src/account/campaigns/campaigns.js';
import { bumpVersion } from '../../../src/account/plans/unpublished.js';
import { updateSupplierLink } from '../../../src/account/links/supplierLinks.js';
import { deleteSupplier, updateSupplier } from '../../../src/account/suppliers/suppliers.js';
import { YES } from '../../support/fakeBuyer.js';
import { startTestbed, type Market, type Testbed } from '../../support/testbed.js';
import { waitFor } from '../../support/waitFor.js';
import {
  aDefinition,
  CONSENT,
  openVisited,
  someAnswers,
  tokensAt,
  type Site,
} from '../support/visitors.js';

const DAY_MS = 86_400_000;

describe('a page of a funnel', () => {
  let testbed: Testbed;

  beforeAll(async () => {
    testbed = await startTestbed();
  });
  afterAll(() => testbed.stop());

  const open = () => openVisited(testbed);
  const consents = (site: Site) =>
    testbed.collections.consents.find({ funnel_id: site.funnel._id }).toArray();
  const idsOf = ({ account }: Market) => ({
    org_id: account.orgId,
    campaign_id: account.campaignId,
    supplier_id: account.suppliers[0]?.id ?? '',
  });

  describe('that is sent more than once', () => {
    it('by a double click, and once more later, makes one lead with one answer', async () => {
      const { site, leads, sentTo } = await open();
      const form = { t: site.token(), ...someAnswers() };
      const clicks = await Promise.all(Array.from({ length: 5 }, () => site.post(form)));
      expect(clicks.map(({ end }) => end)).toEqual(clicks.map(() => 'thanks'));
      expect((await site.post(form)).end).toBe('thanks');
      expect(await leads()).toHaveLength(1);
      expect(sentTo('only')).toHaveLength(1);
      expect(await consents(site)).toHaveLength(1);
    });

    it('at once with different answers makes one lead, and thanks for it', async () => {
      const { site, leads, sentTo } = await open();
      const t = site.token();
      const ends = await Promise.all(
        Array.from({ length: 4 }, async () => {
          const form = { t, ...someAnswers() };
          let { end } = await site.post(form);
          // Like the page's button while the result is unknown.
          for (let n = 0; end === null && n < 50; n++) ({ end } = await site.post(form));
          return end;
        }),
      );
      expect(ends).toEqual(ends.map(() => 'thanks'));
      const [lead, ...others] = await leads();
      expect(others).toEqual([]);
      expect(sentTo('only')).toHaveLength(1);
      const linked = (await consents(site)).filter(({ lead_id }) => lead_id !== undefined);
      expect(linked).toMatchObject([{ _id: lead?.origin?.consent_id, lead_id: lead?._id }]);
      expect(linked[0]?.answers.email).toBe(lead?.fields.email);
    });

    it('after the connection broke in the middle makes one lead, from the same page or a new one', async () => {
      for (const isNew of [false, true]) {
        const { site, leads, sentTo, behave } = await open();
        behave('only', () => ({ ...YES, delayMs: 300 }));
        const answers = someAnswers();
        const t = site.token();
        const cut = new AbortController();
        const lost = site.post({ t, ...answers }, { signal: cut.signal }).catch(() => 'cut off');
        await waitFor(() => sentTo('only').length === 1, { message: 'the buyer is asked' });
        cut.abort();
        expect(await lost).toBe('cut off');
        const form = { t: isNew ? site.token() : t, ...answers };
        await waitFor(async () => (await site.post(form)).end === 'thanks', { message: 'thanks' });
        const sold = (await leads()).filter(({ status }) => status === 'ACCEPTED');
        expect([sold.length, sentTo('only').length]).toEqual([1, 1]);
      }
    });

    it('is thanked again when the promised lead has ended by the cap of its source since', async () => {
      const { site, leads } = await open();
      const t = site.token();
      const form = { t, ...someAnswers() };
      expect((await site.post(form)).end).toBe('thanks');
      const [lead] = await leads();
      const capped = { status: 'EXPIRED', refusal: 'supplier_capped', buyer_id: null } as const;
      const set = { ...capped, sales: [], pending_at: lead?.created_at ?? new Date() };
      await testbed.collections.leads.updateOne({ _id: lead?._id ?? '' }, { $set: set });
      expect((await site.post(form)).end).toBe('thanks');
      expect((await site.post({ t, ...someAnswers() })).end).toBe('thanks');
      expect(await leads()).toHaveLength(1);
    });

    it('in two tabs is sold once, and the visitor is thanked twice', async () => {
      const { site, sentTo, leads } = await open();
      const answers = someAnswers();
      const ends = [
        await site.post({ t: site.token(), ...answers }),
        await site.post({ t: site.token(), ...answers }),
      ].map(({ end }) => end);
      expect(ends).toEqual(['thanks', 'thanks']);
      expect(sentTo('only')).toHaveLength(1);
      expect((await leads()).map(({ status }) => status).sort()).toEqual(['ACCEPTED', 'DUPLICATE']);
    });

    it('by a person whose lead was posted by the supplier has no buyer', async () => {
      const market = await open();
      const answers = someAnswers();
      await market.post({ phone: answers['f.phone'], email: answers['f.email'] });
      const again = await market.site.post({ t: market.site.token(), ...answers });
      expect(again.end).toBe('no_buyer');
    });
  });

  describe('that was opened a while ago', () => {
    it('is submitted to the version that was opened', async () => {
      const { site, leads } = await open();
      const begun = site.token({ version: 1 });
      await site.publish(aDefinition({ consent: { text: 'A text of later.' } }));
      const answer = await site.post({ t: begun, ...someAnswers() });
      expect(answer.end).toBe('thanks');
      expect(await consents(site)).toMatchObject([{ version: 1, text: CONSENT }]);
      expect(await leads()).toMatchObject([{ origin: { version: 1 } }]);
    });

    it('more than a day ago is shown again with its answers and a new token, which is accepted', async () => {
      const { site, leads } = await open();
      const answers = someAnswers();
      const old = await site.post({ t: site.token({ agoMs: DAY_MS + 1_000 }), ...answers });
      expect(old.status).toBe(422);
      expect(old.text).toContain(answers['f.email'] ?? '-');
      const { json } = await site.post(
        { t: site.token({ agoMs: DAY_MS + 1_000 }), ...answers },
        { isScript: true },
      );
      const read = tokensAt(0).readToken(String(json.token));
      expect(read).toMatchObject({ kind: 'valid', page: { funnelId: site.funnel._id } });
      expect(await leads()).toEqual([]);
    });

    it('more than a day ago, but submitted in time, gets its first answer again', async () => {
      const { site, leads } = await open();
      const t = site.token({ agoMs: DAY_MS - 2_000 });
      const form = { t, ...someAnswers() };
      expect((await site.post(form)).end).toBe('thanks');
      await waitFor(() => tokensAt(0).readToken(t).kind === 'expired', { message: 'expired' });
      expect((await site.post(form)).end).toBe('thanks');
      expect(await leads()).toHaveLength(1);
    });

    it('by a clock that was set back since is accepted', async () => {
      const { site, leads } = await open();
      const t = site.token({ agoMs: -7_200_000 });
      expect((await site.post({ t, ...someAnswers() })).end).toBe('thanks');
      expect(await leads()).toMatchObject([{ status: 'ACCEPTED' }]);
    });
  });

  describe('is closed', () => {
    type Change = (market: Market & { site: Site }) => Promise<unknown>;
    const changes: [string, Change][] = [
      [
        'when its campaign was paused',
        (market) => {
          const { org_id, campaign_id } = idsOf(market);
          return updateCampaign(accountOf(testbed, org_id), campaign_id, { status: 'PAUSED' });
        },
      ],
      [
        'when its campaign was archived',
        (market) => {
          const { org_id, campaign_id } = idsOf(market);
          return updateCampaign(accountOf(testbed, org_id), campaign_id, { status: 'ARCHIVED' });
        },
      ],
      [
        'when its campaign is gone',
        async (market) => {
          const { campaign_id, org_id } = idsOf(market);
          await testbed.collections.campaigns.deleteOne({ _id: campaign_id });
          await bumpVersion(testbed.collections, org_id);
        },
      ],
      [
        'when its supplier was paused',
        (market) => {
          const { org_id, supplier_id } = idsOf(market);
          return updateSupplier(accountOf(testbed, org_id), supplier_id, { status: 'paused' });
        },
      ],
      [
        'when its supplier was removed',
        (market) => {
          const { org_id, supplier_id } = idsOf(market);
          return deleteSupplier(accountOf(testbed, org_id), supplier_id);
        },
      ],
      [
        'when its supplier has reached its cap',
        (market) =>
          updateSupplierLink(accountOf(testbed, idsOf(market).org_id), idsOf(market), {
            daily_cap: 0,
          }),
      ],
      [
        'when it was unpublished',
        ({ site }) =>
          testbed.collections.funnels.updateOne(
            { _id: site.funnel._id },
            { $set: { status: 'unpublished' } },
          ),
      ],
    ];
    it.each(changes)('%s', async (_when, change) => {
      const market = await open();
      const { site, leads } = market;
      expect((await site.post({ t: site.token(), ...someAnswers() })).end).toBe('thanks');
      await change(market);
      // A cached funnel is at most half a second old.
      await waitFor(
        async () => (await site.post({ t: site.token(), ...someAnswers() })).end === 'closed',
        { message: 'closed' },
      );
      const sold = async () => (await leads()).filter(({ status }) => status === 'ACCEPTED').length;
      const before = await sold();
      expect((await site.post({ t: site.token(), ...someAnswers() })).end).toBe('closed');
      expect(await sold()).toBe(before);
    });
  });
});
