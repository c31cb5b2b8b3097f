/** Pings with their auctions, and funnels with where their visitors leave. */
import { beforeAll, expect, it } from '@jest/globals';
import { isStep } from '../../../../src/funnels/rules/blocks.js';
import { windowKeys } from '../../../../src/fields/windowKeys.js';
import type { PingDoc } from '../../../../src/pings/store/pingDocs.js';
import { createFunnel } from '../../../../src/funnels/funnels.js';
import { buyerOf } from '../../../distribution/commands/operatorFixture.js';
import { funnelContext } from '../../../funnels/place.js';
import { expectSoundInEveryLook } from '../../../support/browser.js';
import { press } from '../../../support/keyboard.js';
import { TEST_ZONE } from '../../../support/org.js';
import { aLead } from '../../../support/storedRows.js';
import { waitFor } from '../../../support/waitFor.js';
import { onStage } from './stage.js';

const MINUTE = 60_000;
const LONG = 'A funnel with <b>markup</b> and a name that goes on and on '.repeat(2).trim();

onStage('pings and funnels', (stage) => {
  const PING = 'b1c7a5209b1c4a66b7f45f1d2e3c4b5a';
  let funnelId: string;
  beforeAll(async () => {
    const { bed, market, orgId } = stage();
    const { campaignId: campaign_id, suppliers } = market.account;
    const supplier_id = suppliers[0]?.id ?? '';
    const [north, south] = [buyerOf(market, 'North'), buyerOf(market, 'South')];
    const lead = aLead({ org_id: orgId, campaign_id, status: 'ACCEPTED', buyer_id: north });
    await bed.collections.leads.insertOne(lead);
    const at = new Date(Date.now() - MINUTE);
    const ping: PingDoc = {
      _id: PING,
      org_id: orgId,
      campaign_id,
      supplier_id,
      plan_version: 1,
      is_test: false,
      state: 'redeemed',
      bids: [
        {
          buyer_id: north,
          price: 25_500_000,
          net: 21_675_000,
          bid: 21_670_000,
          source: 'live',
          latency_ms: 42,
        },
        { buyer_id: 'gone', price: 9_000_000, net: 8_000_000, bid: 8_000_000, source: 'static' },
      ],
      unbid: [{ buyer_id: south, reason: 'late', detail: {}, latency_ms: 500 }],
      digests: { state: 'digest-of-state' },
      reveal_buyers: true,
      created_at: at,
      expires_at: new Date(Number(at) + 30 * MINUTE),
      forget_at: new Date(Number(at) + 600 * MINUTE),
    };
    await bed.collections.pings.insertMany([
      { ...ping, lead_id: lead._id, redeemed_at: at },
      { ...ping, _id: `${PING}2`, state: 'refused', reason: 'no_buyer', bids: [] },
    ]);
    const context = funnelContext(bed.collections, orgId);
    const { funnel } = await createFunnel(context, {
      template: 'quiz',
      campaign_id,
      supplier_id,
      name: LONG,
    });
    funnelId = funnel._id;
    const [first] = funnel.definition.blocks.filter(isStep);
    await bed.collections.funnelCounts.insertOne({
      _id: `${funnelId}:1`,
      org_id: orgId,
      funnel_id: funnelId,
      day: windowKeys(new Date(), TEST_ZONE).day,
      version: 1,
      source: 'direct',
      views: 40,
      starts: 30,
      submits: 8,
      suspects: {},
      steps: { [first?.id ?? '']: { shown: 40, done: 10 } },
    });
  });
  const funnel = () => stage().bed.collections.funnels.findOne({ _id: funnelId });

  it('lead from the list to an auction: who bid what, who won, and why another did not bid', async () => {
    const operator = await stage().member({ role: 'operator' });
    const visit = await stage().come(operator, '/pings', { width: 1280 });
    const { page } = visit;
    await page.getByText('No buyer bid.').waitFor();
    await expectSoundInEveryLook(visit, 'org-pings');
    await press(page, page.locator(`tr[data-key="${PING}"] a`));
    await page.getByRole('heading', { level: 1, name: `Ping ${PING.slice(0, 8)}` }).waitFor();
    const won = page.getByRole('row', { name: /North Won/ });
    expect(await won.innerText()).toMatch(/\$21\.67[\s\S]*\$25\.50[\s\S]*42 ms/);
    await page.getByRole('row', { name: /South It did not answer in time\..*500 ms/ }).waitFor();
    await page.getByText('bought it').waitFor();
    await expectSoundInEveryLook(visit, 'org-ping');
  });

  it('are listed for a viewer, who sees no auction', async () => {
    const viewer = await stage().member({ role: 'viewer' });
    const { page } = await stage().come(viewer, '/pings?status=redeemed');
    await page.locator(`tr[data-key="${PING}"]`).waitFor();
    expect(await page.locator(`tr[data-key="${PING}"] a`).count()).toBe(0);
    expect(await page.getByText('No buyer bid.').count()).toBe(0);
  });

  it('show where visitors leave, and go live and offline, which can be undone', async () => {
    const visit = await stage().come(await stage().member(), '/funnels');
    const { page } = visit;
    const card = page.getByRole('article');
    await card.getByText('75% left').waitFor();
    expect(await card.innerText()).toMatch(/Views\s+40[\s\S]*Forms sent\s+8/);
    await expectSoundInEveryLook(visit, 'org-funnels');
    const dialog = page.getByRole('dialog');
    await press(page, card.getByRole('button', { name: /^Publish/ }));
    await press(page, dialog.getByRole('button', { name: 'Publish' }));
    await card.getByRole('link', { name: /opens in a new tab/ }).waitFor();
    expect((await funnel())?.status).toBe('published');
    await press(page, card.getByRole('button', { name: /^Take/ }));
    await press(page, dialog.getByRole('button', { name: 'Take offline' }));
    await card.getByText('Offline', { exact: true }).waitFor();
    expect((await funnel())?.status).toBe('unpublished');
    await press(page, page.getByRole('button', { name: 'Undo' }));
    await waitFor(async () => (await funnel())?.status === 'published', { message: 'live again' });
  });

  it('cannot be published by a role that may not', async () => {
    const viewer = await stage().member({ role: 'viewer' });
    const { page } = await stage().come(viewer, '/funnels');
    await page.getByRole('article').waitFor();
    expect(await page.getByRole('button', { name: /^Publish|^Take/ }).count()).toBe(0);
  });
});
