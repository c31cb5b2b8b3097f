import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { SignedInMember } from '../../../support/portal.js';
import { describeInBrowser, expectSoundInEveryLook } from '../../support/browser.js';
import { press } from '../../support/keyboard.js';
import { startOrgBed, type OrgBed } from '../../support/orgBed.js';

let bed: OrgBed;
let admin: SignedInMember;
beforeAll(async () => {
  bed = await startOrgBed();
  admin = await bed.member();
  await bed.member({ name: 'ע'.repeat(300) + '<i>x</i>'.repeat(100), role: 'viewer' });
  const north = await bed.north();
  const { campaignId } = bed.market.account;
  await north.call('request_change', {
    campaign_id: campaignId,
    price: 12,
    reason: 'Better leads',
  });
});
afterAll(() => bed.stop());

const SCREENS = [
  ['partners', '', 'North'],
  ['members', '/members', 'Olga Operator'],
  ['changes', '/changes', 'North'],
  ['defaults', '/partners/buyer', 'What the partner may see and do'],
] as const;

describeInBrowser("the organization's screens", (open) => {
  it.each(SCREENS)('%s is sound at 360 and 1280 px, light and dark', async (name, path, text) => {
    const visit = await bed.visit(open, admin, path);
    await visit.page.locator('main').getByText(text).first().waitFor();
    await expectSoundInEveryLook(visit, `org-${name}`);
  });

  it('partner is sound at 360 and 1280 px, light and dark', async () => {
    const path = `/partners/buyer/${bed.market.account.buyers.North}`;
    const visit = await bed.visit(open, admin, path);
    await visit.page.getByText('How the portal looks').waitFor();
    await visit.page.getByText('Pat Partner').first().waitFor();
    await expectSoundInEveryLook(visit, 'org-partner');
  });

  it('are named in the window, and a screen that a link leads to takes the focus at its heading', async () => {
    const { page, troubles } = await bed.visit(open, admin, '');
    expect(await page.title()).toMatch(/^Partners · Org/);
    await press(page, page.getByRole('link', { name: 'Members' }));
    const heading = page.getByRole('heading', { level: 1, name: 'Members' });
    await heading.and(page.locator(':focus')).waitFor();
    expect(await page.title()).toMatch(/^Members · /);
    expect(troubles()).toEqual([]);
  });

  it('are only those of the role', async () => {
    const viewer = await bed.member({ role: 'viewer', name: 'Vera Viewer' });
    const { page } = await bed.visit(open, viewer, '');
    const north = page.getByRole('link', { name: 'North' }).first();
    await north.waitFor();
    expect(await page.getByRole('link', { name: 'Members' }).count()).toBe(0);
    await press(page, north);
    await page.getByText('How the portal looks').waitFor();
    expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0);
    expect(await page.getByLabel('Give leads back').isDisabled()).toBe(true);
    expect(await page.getByLabel('Name').isDisabled()).toBe(true);
    for (const path of ['members', 'partners/unknown', 'partners/unknown/1']) {
      await page.goto(`/org/${viewer.membership_id}/${path}`);
      await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    }
  });

  it('are hidden from other organizations', async () => {
    const stranger = await bed.member({ org_id: 'another', name: 'Sam Stranger' });
    const { page } = await open({ url: bed.bed.url, session: stranger.token });
    await page.goto(`/org/${admin.membership_id}`);
    await page.getByRole('heading', { name: 'This page cannot be shown' }).waitFor();
    expect(await page.getByText('North').count()).toBe(0);
  });
});
