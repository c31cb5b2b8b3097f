/**
 * The first minutes of a person who knows nothing: from the link that the start prints to the reason why a lead was not
 * sold, and to the cap that is raised. Every step is offered by the page that the step before has opened.
 */
import { beforeAll, beforeEach, expect, it } from '@jest/globals';
import { updateBuyerLink } from '../../../../src/account/links/buyerLinks.js';
import { DEMO_CAPPED, DEMO_ORG_ID } from '../../../../src/demo/names.js';
import { postLead } from '../../../../src/demo/post.js';
import {
  expectSound,
  isPictured,
  screenshot,
  walkThrough,
  type Look,
  type Visit,
} from '../../../support/browser.js';
import { accountOf } from '../../../support/org.js';
import { signInMember, type SignedInMember } from '../../../support/portal.js';
import { onDemoStage } from './stage.js';

onDemoStage('the console of the demo', (stage) => {
  const CAP = 3;
  const cappedLink = async () => {
    const { campaigns, campaignBuyers } = stage().bed.collections;
    const campaign = await campaigns.findOne({ org_id: DEMO_ORG_ID, name: DEMO_CAPPED });
    const link = await campaignBuyers.findOne({ campaign_id: campaign?._id ?? '' });
    if (!link) throw new Error('The demo has no capped buyer');
    return link;
  };
  beforeEach(async () => {
    const { campaign_id, buyer_id } = await cappedLink();
    const account = accountOf(
      { collections: stage().bed.collections, author: { action: 'test' } },
      DEMO_ORG_ID,
    );
    await updateBuyerLink(account, { campaign_id, buyer_id }, { daily_cap: CAP });
  });

  // The screens as the demo fills them, of which the documentation has pictures.

  let operator: SignedInMember;
  beforeAll(async () => {
    operator = await signInMember(stage().bed.collections, {
      org_id: DEMO_ORG_ID,
      scope: { kind: 'organization' },
      role: 'operator',
      name: 'Olga Operator',
    });
  });

  const load = async (path: string, look: Partial<Look>): Promise<Visit> => {
    const { bed, open } = stage();
    const visit = await open({ url: bed.url, session: operator.token, width: 1280, ...look });
    const { page } = visit;
    await page.goto(`/org/${operator.membership_id}${path}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    // The font is there from the second page of a visit on.
    if (isPictured) await page.reload();
    return visit;
  };
  const come = walkThrough(load);

  const campaignOf = async (name: string): Promise<string> => {
    const { campaigns } = stage().bed.collections;
    const campaign = await campaigns.findOne({ org_id: DEMO_ORG_ID, name });
    if (!campaign) throw new Error(`The demo has no campaign ${name}`);
    return campaign._id;
  };

  it.each(['light', 'dark'] as const)('begins with today, %s', async (theme) => {
    const visit = await load('', { theme });
    await visit.page.getByText('Premier Homes: daily cap is used up').waitFor();
    await visit.page.locator('.plot canvas').first().waitFor();
    await screenshot(visit, theme === 'light' ? 'today' : 'today-dark', { isWhole: false });
    expect(visit.troubles()).toEqual([]);
  });

  it('shows a lead beside the list of leads', async () => {
    const visit = await come('/leads');
    const { page } = visit;
    await page
      .getByRole('row', { name: /Ruth Vega/ })
      .getByText('Buyer cap full')
      .click();
    await page.getByText(/^Not sold: Premier Homes was at its daily cap\./).waitFor();
    await screenshot(visit, 'leads', { isWhole: false, width: 1400 });
    await page.getByRole('link', { name: 'Open', exact: true }).click();
    await page.getByRole('link', { name: 'Raise the cap of Premier Homes' }).waitFor();
    await page.getByText('1 of 1 buyer was eligible').waitFor();
    await screenshot(visit, 'lead', { isWhole: false });
    expect(visit.troubles()).toEqual([]);
  });

  it('shows where the leads of a campaign go, and its links as a grid', async () => {
    const id = await campaignOf('Demo: Solar');
    const visit = await come(`/campaigns/${id}?days=7d`);
    const { page } = visit;
    await page.getByRole('heading', { name: 'Where its leads go' }).waitFor();
    await page.getByText('Demo: Sunline Solar').first().waitFor();
    await screenshot(visit, 'campaign', { isWhole: false });
    await page
      .getByRole('link', { name: /^Buyers/ })
      .nth(1)
      .click();
    await page.getByRole('rowheader', { name: /Sunline Solar/ }).waitFor();
    await screenshot(visit, 'links', { isWhole: false });
    expect(visit.troubles()).toEqual([]);
  });

  it('compares days and hours in reports', async () => {
    const visit = await come('/reports?days=7d&by=day&then=status');
    await visit.page.locator('.plot canvas').first().waitFor();
    await screenshot(visit, 'reports', { isWhole: false });
    expect(visit.troubles()).toEqual([]);
  });

  it('names the buyers, their state and their money', async () => {
    const visit = await come('/buyers');
    await visit.page.getByRole('link', { name: 'Demo: Sunline Solar' }).first().waitFor();
    await screenshot(visit, 'buyers', { isWhole: false });
    expect(visit.troubles()).toEqual([]);
  });

  // The first minutes.

  /** A lead like those that were not sold, as a supplier sends it. */
  const post = async (phone: string) => {
    const { bed, account } = stage();
    const { id, api_key } = account.suppliers.web;
    return postLead({
      ingestUrl: bed.url,
      apiKey: api_key,
      body: {
        flo_campaign_id: (await cappedLink()).campaign_id,
        flo_supplier_id: id,
        first_name: 'Zoe',
        last_name: 'Later',
        phone,
        email: `zoe.${phone}@example.com`,
        state: 'CA',
      },
    });
  };

  /** Today's leads: the first tile of the first screen. Opens the newest that was not sold. */
  async function openUnsold({ page }: Visit): Promise<void> {
    await page.getByRole('link', { name: /^Leads \d+/ }).click();
    await page.getByRole('heading', { level: 1, name: 'Leads' }).waitFor();
    await page.getByRole('link', { name: 'Ruth Vega' }).click();
    await page.getByRole('heading', { level: 1, name: /Ruth Vega/ }).waitFor();
    await page.getByText(/^Not sold: Premier Homes was at its daily cap\./).waitFor();
    await page.getByText('Premier Homes had a full cap: its daily cap is 3').first().waitFor();
  }

  it.each([
    { width: 1440, phone: '2145550001' },
    { width: 360, phone: '2145550002' },
  ])(
    'leads to the reason of an unsold lead, and to the cap raised, at $width px',
    async ({ width, phone }) => {
      expect((await post(phone.replace(/^2/, '3'))).answer).toBe('UNMATCHED');
      const visit = await stage().enter({ width });
      const { page } = visit;
      await page.getByRole('link', { name: /Premier Homes: daily cap is used up/ }).waitFor();
      await openUnsold(visit);
      await expectSound(visit);
      await page.getByRole('link', { name: 'Raise the cap of Premier Homes' }).click();
      // A cell of the grid; on a phone a field of its card.
      const cell = page.getByLabel(/^Daily cap/);
      await cell.and(page.locator(':focus')).waitFor();
      await page.keyboard.type('10');
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Save 1 change' }).click();
      await page.getByText(/^Saved as version \d+/).waitFor();
      expect((await cappedLink()).caps).toMatchObject({ daily_cap: 10 });
      expect((await post(phone)).answer).toBe('ACCEPTED');
      expect(visit.troubles()).toEqual([]);
    },
  );

  it('leads from what needs attention straight to the cap', async () => {
    const { page, troubles } = await stage().enter({ width: 1440 });
    await page.getByRole('link', { name: /Premier Homes: daily cap is used up/ }).click();
    await page.getByLabel('Daily cap, Premier Homes').and(page.locator(':focus')).waitFor();
    expect(troubles()).toEqual([]);
  });
});
