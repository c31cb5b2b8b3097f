import { beforeAll, expect, it } from '@jest/globals';
import type { SignedInMember } from '../../../support/portal.js';
import { expectSoundInEveryLook, walkThrough } from '../../../support/browser.js';
import { goTo, press } from '../../../support/keyboard.js';
import { onStage } from './stage.js';

const SCREENS = [
  ['buyers', '/buyers', 'North'],
  ['suppliers', '/suppliers', 'Closed'],
  ['members', '/members', 'Olga Operator'],
  ['changes', '/requests', 'North'],
  ['defaults', '/portals/buyer', 'Permissions'],
] as const;

onStage("the organization's screens", (stage) => {
  let admin: SignedInMember;
  beforeAll(async () => {
    admin = await stage().member();
    await stage().member({ name: 'ע'.repeat(300) + '<i>x</i>'.repeat(100), role: 'viewer' });
    const north = await stage().north();
    const { campaignId: campaign_id } = stage().market.account;
    await north.call('request_change', { campaign_id, price: 12, reason: 'Better leads' });
  });

  const walkTo = walkThrough((path, look) => stage().come(admin, path, look));

  it.each(SCREENS)('%s is sound at 360 and 1280 px, light and dark', async (name, path, text) => {
    const visit = await walkTo(path);
    await visit.page.locator('main').getByText(text).first().waitFor();
    await expectSoundInEveryLook(visit, `org-${name}`);
  });

  it.each(['', 'deliveries', 'campaigns', 'delivery', 'secrets', 'returns'])(
    'buyer %s is sound at 360 and 1280 px, light and dark',
    async (tab) => {
      const path = `/buyers/${stage().market.account.buyers.North}/${tab}`;
      const visit = await walkTo(path.replace(/\/$/, ''));
      await visit.page.locator('main h2, main figure, main table, main .state').first().waitFor();
      await expectSoundInEveryLook(visit, `org-buyer-${tab || 'overview'}`);
    },
  );

  it('partner is sound at 360 and 1280 px, light and dark', async () => {
    const path = `/partners/buyer/${stage().market.account.buyers.North}`;
    const visit = await walkTo(path);
    await visit.page.getByText('Branding').waitFor();
    await visit.page.getByText('Pat Partner').first().waitFor();
    await expectSoundInEveryLook(visit, 'org-partner');
  });

  it('are named in the window, and a screen that a link leads to takes the focus at its heading', async () => {
    const { page, troubles } = await stage().come(admin, '/buyers');
    expect(await page.title()).toMatch(/^Buyers · Org/);
    await goTo(page, 'Members');
    const heading = page.getByRole('heading', { level: 1, name: 'Members' });
    await heading.and(page.locator(':focus')).waitFor();
    expect(await page.title()).toMatch(/^Members · /);
    expect(troubles()).toEqual([]);
  });

  it('are only those of the role', async () => {
    const viewer = await stage().member({ role: 'viewer', name: 'Vera Viewer' });
    const { page } = await stage().come(viewer, '/buyers');
    const north = page.getByRole('link', { name: 'North' }).first();
    await north.waitFor();
    expect(await page.getByRole('link', { name: 'Members' }).count()).toBe(0);
    await press(page, north);
    await press(page, page.getByRole('link', { name: 'Portal', exact: true }));
    await page.getByText('Branding').waitFor();
    for (const name of ['Pause', 'Open the portal', 'Close the portal', 'Save'])
      expect(await page.getByRole('button', { name, exact: true }).count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Secrets' }).count()).toBe(0);
    expect(await page.getByLabel('Returns').isDisabled()).toBe(true);
    expect(await page.getByLabel('Name').isDisabled()).toBe(true);
    for (const path of ['members', 'portals/unknown', 'partners/unknown/1', 'buyers/1/secrets']) {
      await page.goto(`/org/${viewer.membership_id}/${path}`);
      await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    }
  });

  it('are hidden from other organizations', async () => {
    const stranger = await stage().member({ org_id: 'another', name: 'Sam Stranger' });
    const { page } = await stage().open({ url: stage().bed.url, session: stranger.token });
    await page.goto(`/org/${admin.membership_id}`);
    await page.getByRole('heading', { name: 'This page cannot be shown' }).waitFor();
    expect(await page.getByText('North').count()).toBe(0);
  });
});
