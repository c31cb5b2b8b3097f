import { beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { expectSound, expectSoundInEveryLook, walkThrough } from '../../../support/browser.js';
import { onStage, postSome } from './stage.js';

interface ScreenSpec {
  name: string;
  path: string;
  title: string;
  /** The element that shows that the data has loaded. */
  ready: (page: Page) => Promise<void>;
}

const text =
  (wanted: string) =>
  (page: Page): Promise<void> =>
    page.getByText(wanted).first().waitFor();
const table =
  (name: string) =>
  (page: Page): Promise<void> =>
    page.getByRole('table', { name }).waitFor();
const plot = (page: Page): Promise<void> => page.locator('.plot canvas').last().waitFor();

const SCREENS: readonly ScreenSpec[] = [
  { name: 'overview', path: '', title: 'Overview', ready: plot },
  { name: 'guide', path: '/guide', title: 'Posting guide', ready: text('Post a test lead') },
  { name: 'console', path: '/console', title: 'Test console', ready: text('Send test lead') },
  { name: 'posts', path: '/posts', title: 'Posts', ready: table('Posts') },
  { name: 'payout', path: '/payout', title: 'Payout', ready: plot },
  { name: 'campaigns', path: '/campaigns', title: 'Campaigns', ready: text('Leads a day') },
  { name: 'keys', path: '/keys', title: 'Keys', ready: text('Main key') },
  { name: 'webhook', path: '/webhook', title: 'Webhook', ready: text('Recent events') },
  { name: 'team', path: '/team', title: 'Team', ready: table('Members of your team') },
];
const LABELS = SCREENS.map(({ title }) => title);

onStage('the screens of a supplier', { show_buyer_names: true }, (stage) => {
  let filtered = '';
  beforeAll(async () => {
    filtered = (await postSome(stage())).filtered;
    await stage().bed.repair();
    const url = `${stage().bed.buyers.url}/decided`;
    const set = await stage().calls.call('set_webhook', { url });
    expect(set.status).toBe(200);
  });

  const walkTo = walkThrough((path, look) => stage().come(path, look));
  for (const { name, path, title, ready } of SCREENS) {
    it(`${title} is sound at 360 and 1280 px, light and dark`, async () => {
      const visit = await walkTo(path);
      await visit.page.getByRole('heading', { level: 1, name: title }).waitFor();
      await ready(visit.page);
      await expectSoundInEveryLook(visit, `supplier-${name}`, { isWhole: name !== 'guide' });
    });
  }

  it('one post is sound at 360 and 1280 px, light and dark', async () => {
    const visit = await walkTo(`/posts/${filtered}`);
    await visit.page.getByText('Fields sent').waitFor();
    await expectSoundInEveryLook(visit, 'supplier-post');
  });

  it('the navigation leads to every tested screen', async () => {
    const { page } = await stage().come('', { width: 1280 });
    const links = page.getByRole('navigation', { name: 'Screens' }).getByRole('link');
    await links.first().waitFor();
    expect((await links.allTextContents()).toSorted()).toEqual(LABELS.toSorted());
  });
});

onStage('the screens of a supplier that has done nothing yet', { pause: 'off' }, (stage) => {
  const walkTo = walkThrough((path, look) => stage().come(path, { ...look, theme: 'dark' }));
  for (const { path, title } of SCREENS) {
    it(`${title} explains what to do`, async () => {
      const visit = await walkTo(path);
      const { page } = visit;
      await page.getByRole('heading', { level: 1, name: title }).waitFor();
      await page.locator('main .skeleton').first().waitFor({ state: 'hidden' });
      await expectSound(visit);
      expect(await page.getByRole('alert').count()).toBe(0);
    });
  }
});
