/** What goes wrong while someone works: a session ends, a server is away, a record is gone, a campaign is very large. */
import { afterEach, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { updateCampaign } from '../../../../src/account/campaigns/campaigns.js';
import { postUntil } from '../../../distribution/commands/operatorFixture.js';
import { startProxy, type Proxy } from '../../../chaos/faults/proxy.js';
import {
  describeOnStage,
  expectSound,
  screenshot,
  signIn,
  type Look,
} from '../../../support/browser.js';
import { accountOf } from '../../../support/org.js';
import type { SignedInMember } from '../../../support/portal.js';
import { testStack } from '../../../support/stack.js';
import { aLead } from '../../../support/storedRows.js';
import { waitFor } from '../../../support/waitFor.js';
import { FIVE_DEEP, fillUp } from './edgeFixtures.js';
import { buildStage, type Stage } from './stage.js';

const WIDE: Partial<Look> = { width: 1440 };

interface EdgesStage extends Stage {
  /** The way of the service to each of its servers. */
  mongodb: Proxy;
  temporal: Proxy;
}

describeOnStage<EdgesStage>(
  'while someone works',
  async (open) => {
    const { mongodbUri, temporalAddress } = testStack();
    const target = new URL(mongodbUri).host;
    const [mongodb, temporal] = await Promise.all([
      startProxy({ target, seed: 'mongodb' }),
      startProxy({ target: temporalAddress, seed: 'temporal' }),
    ]);
    const stage = await buildStage(open, {
      role: 'all',
      through: {
        mongodbUri: `mongodb://127.0.0.1:${mongodb.port}/?directConnection=true`,
        temporalAddress: `127.0.0.1:${temporal.port}`,
      },
    });
    stage.bed.onStop(() => Promise.all([mongodb.stop(), temporal.stop()]));
    return { ...stage, mongodb, temporal };
  },
  (stage) => {
    let admin: SignedInMember;
    beforeAll(async () => {
      admin = await stage().member();
    });
    afterEach(() => Promise.all([stage().mongodb.mode('pass'), stage().temporal.mode('pass')]));
    const campaign = () => stage().market.account.campaignId;
    const account = () => accountOf({ ...stage().bed, author: { action: 'test' } }, stage().orgId);
    const north = () => stage().market.account.buyers.North!;

    it('a session that ends in a long form loses nothing that was typed', async () => {
      const ended = await stage().member();
      const visit = await stage().come(ended, `/campaigns/${campaign()}`, WIDE);
      const { page, context } = visit;
      await page.getByRole('button', { name: 'Edit settings' }).click();
      const form = page.getByRole('dialog', { name: /^Settings of/ });
      await form.getByLabel('Answer within (milliseconds)').fill('2500');
      await form.getByLabel('Vertical').fill('Solar');
      await stage().bed.collections.sessions.deleteMany({ person_id: ended.person_id });
      await form.getByRole('button', { name: 'Save settings' }).click();
      const dialog = page.getByRole('dialog', { name: 'Sign in again' });
      await dialog.waitFor();
      const again = await stage().member({ person_id: ended.person_id, org_id: 'another' });
      await signIn(context, stage().bed.url, again.token);
      await dialog.getByRole('button', { name: 'Continue' }).click();
      await page.getByText(/^The settings of .* are saved\.$/).waitFor();
      expect(await stage().bed.collections.campaigns.findOne({ _id: campaign() })).toMatchObject({
        answer_within_ms: 2500,
        vertical: 'Solar',
      });
    });

    it('a session that ends over a grid with unsaved cells keeps them, and saves them', async () => {
      const ended = await stage().member();
      const { page, context } = await stage().come(ended, at('buyers', 'price'), WIDE);
      await page
        .getByLabel(/North$/)
        .and(page.locator(':focus'))
        .waitFor();
      await page.keyboard.type('55');
      await page.keyboard.press('Enter');
      await stage().bed.collections.sessions.deleteMany({ person_id: ended.person_id });
      await page.getByRole('button', { name: 'Save 1 change' }).click();
      const dialog = page.getByRole('dialog', { name: 'Sign in again' });
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await page.getByText('1 change in 1 row').waitFor();
      await page.getByRole('button', { name: 'Save 1 change' }).click();
      const again = await stage().member({ person_id: ended.person_id, org_id: 'another' });
      await dialog.waitFor();
      await signIn(context, stage().bed.url, again.token);
      await dialog.getByRole('button', { name: 'Continue' }).click();
      await page.getByText(/^Saved as version/).waitFor();
      expect((await link(north()))?.price).toBe(55_000_000);
    });

    const at = (screen: string, focus: string) =>
      `/campaigns/${campaign()}/${screen}?buyer=${north()}&focus=${focus}`;
    const link = (buyer_id: string) =>
      stage().bed.collections.campaignBuyers.findOne({ campaign_id: campaign(), buyer_id });

    it('MongoDB is away: the page says so, keeps what it shows and what was typed, and goes on', async () => {
      const visit = await stage().come(admin, at('buyers', 'price'), WIDE);
      const { page } = visit;
      await page
        .getByLabel(/North$/)
        .and(page.locator(':focus'))
        .waitFor();
      await page.keyboard.type('56');
      await page.keyboard.press('Enter');
      await stage().mongodb.mode('refuse');
      await page.getByRole('button', { name: 'Save 1 change' }).click();
      await page
        .getByText(/database \(MongoDB\) does not answer/)
        .first()
        .waitFor();
      await screenshot(visit, 'mongodb-away', { isWhole: false });
      await page.getByText('1 change in 1 row').waitFor();
      await page.getByRole('rowheader', { name: /North/ }).waitFor();
      await stage().mongodb.mode('pass');
      await page.getByRole('button', { name: 'Save 1 change' }).click();
      await page.getByText(/^Saved as version/).waitFor();
      expect((await link(north()))?.price).toBe(56_000_000);
      await stage().mongodb.mode('refuse');
      await page.getByRole('link', { name: 'Returns', exact: true }).first().click();
      await page
        .getByRole('alert')
        .getByText(/MongoDB/)
        .first()
        .waitFor();
      await stage().mongodb.mode('pass');
      await page.getByRole('button', { name: 'Try again' }).first().click();
      await page.getByText('Nothing to decide').waitFor();
    });

    it('Temporal is away: a command says so, keeps its note, and is carried out once it is back', async () => {
      const { market } = stage();
      for (const name of ['North', 'South'])
        market.behave(name, () => ({ status: 503, headers: { 'retry-after': '600' } }));
      const id = await postUntil(market, 'parked');
      const visit = await stage().come(admin, '/queues', WIDE);
      const { page } = visit;
      await page.getByRole('button', { name: 'Resend all for North' }).click();
      const dialog = page.getByRole('dialog', { name: 'Resend all: North' });
      await dialog.getByLabel('Note').fill('They are back');
      await stage().temporal.mode('refuse');
      await dialog.getByRole('button', { name: 'Resend 1' }).click();
      await dialog
        .getByText(/^Nothing was done\. Temporal, which runs the work, does not/)
        .waitFor();
      expect(await dialog.getByLabel('Note').inputValue()).toBe('They are back');
      await screenshot(visit, 'temporal-away', { isWhole: false });
      await stage().temporal.mode('pass');
      market.behave('North', () => ({ status: 200 }));
      await dialog.getByRole('button', { name: 'Resend 1' }).click();
      await dialog.waitFor({ state: 'detached' });
      await waitFor(async () => (await market.lead(id)).status === 'ACCEPTED', {
        message: 'the lead is sold',
      });
    });

    it('a deleted record is named plainly where old views and links still ask for it', async () => {
      const { bed, orgId } = stage();
      const ids = { supplier_id: 'gone-supplier-0001', buyer_id: 'gone-buyer-0001' };
      const lead = aLead({
        ...ids,
        org_id: orgId,
        campaign_id: campaign(),
        status: 'ACCEPTED',
        sales: [{ buyer_id: ids.buyer_id, attempt: 1, price: 20e6, cost: 8e6, at: new Date() }],
      });
      await bed.collections.leads.insertOne(lead);
      const visit = await stage().come(admin, `/leads?supplier_id=${ids.supplier_id}`, WIDE);
      const { page, troubles } = visit;
      await page.getByText(/Supplier: deleted \(gone-sup\)/).waitFor();
      await page.locator(`tr[data-key="${lead._id}"]`).waitFor();
      await page.goto(`/org/${admin.membership_id}/leads/${lead._id}`);
      await page.getByRole('link', { name: /gone-sup/ }).waitFor();
      for (const [path, what] of [
        [`/suppliers/${ids.supplier_id}`, 'supplier gone-supplier-0001'],
        [`/buyers/${ids.buyer_id}`, 'buyer gone-buyer-0001'],
        ['/campaigns/gone-campaign-0001', 'campaign gone-campaign-0001'],
        ['/campaigns/gone-campaign-0001/buyers', 'campaign gone-campaign-0001'],
      ] as const) {
        await page.goto(`/org/${admin.membership_id}${path}`);
        await page.getByText(`There is no ${what}.`).waitFor();
        await page.getByText('It was deleted, or the link to it is wrong.').waitFor();
        expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
      }
      await page.goto(`/org/${admin.membership_id}/reports?supplier_id=${ids.supplier_id}`);
      await page.getByText(/Supplier: deleted/).waitFor();
      expect(troubles()).toEqual([]);
    });

    it('a filter five deep is read as it is nested', async () => {
      await updateCampaign(account(), campaign(), { filters: FIVE_DEEP });
      const visit = await stage().come(admin, `/campaigns/${campaign()}`, WIDE);
      const { page } = visit;
      await page.getByRole('heading', { name: 'Filters' }).waitFor();
      const deepest = page.locator('.filter-tree > li > ul > li > ul > li > ul > li > ul > li');
      await deepest.getByText('last_name is not empty').waitFor();
      await screenshot(visit, 'filter-five-deep');
      await expectSound(visit);
    });

    it('a column is pasted from a spreadsheet, with one cell that cannot be', async () => {
      const visit = await stage().come(admin, `/campaigns/${campaign()}/buyers`, WIDE);
      const { page } = visit;
      await page.getByRole('row', { name: /North/ }).locator('[data-cell]').nth(2).focus();
      await page.evaluate(
        `(() => {
          const data = new DataTransfer();
          data.setData('text/plain', '61\\t2\\ntwelve\\t3\\n');
          document.activeElement.dispatchEvent(
            new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
        })()`,
      );
      await page.getByText(/changes? in 2 rows/).waitFor();
      await page.getByText('“twelve” is not a number.').first().waitFor();
    });

    it('500 buyers are drawn as they are scrolled, found, edited and saved', async () => {
      await fillUp(stage(), campaign());
      const visit = await stage().come(admin, `/campaigns/${campaign()}/buyers`, WIDE);
      const { page } = visit;
      await page.getByRole('rowheader', { name: 'Buyer 003' }).waitFor();
      expect(await page.getByRole('grid').getAttribute('aria-rowcount')).toBe('501');
      expect(await page.getByRole('rowheader').count()).toBeLessThan(60);
      expect(await isScrolledAside(page)).toBe(false);
      await screenshot(visit, 'grid-500', { isWhole: false });
      await page.setViewportSize({ width: 360, height: 800 });
      await page.getByRole('article').filter({ hasText: 'Buyer 003' }).waitFor();
      expect(await page.getByRole('article').count()).toBeLessThan(60);
      expect(await isScrolledAside(page)).toBe(false);
      await page.setViewportSize({ width: 1440, height: 900 });
      await page.getByRole('searchbox').fill('buyer 377');
      await page.getByText(/^1 of 500/).waitFor();
      const price = page
        .getByRole('row', { name: /Buyer 377/ })
        .locator('[data-cell]')
        .nth(2);
      await price.focus();
      await page.keyboard.type('77');
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Save 1 change' }).click();
      await page.getByText(/^Saved as version/).waitFor();
      expect((await link('b-377'))?.price).toBe(77_000_000);
      await page.getByRole('link', { name: 'Overview' }).click();
      await page.locator('.flow').getByText('Passed every check').first().waitFor();
      expect(await isScrolledAside(page)).toBe(false);
    }, 120_000);
  },
);

const isScrolledAside = (page: Page): Promise<boolean> =>
  page.evaluate<boolean>('document.documentElement.scrollWidth > window.innerWidth');
