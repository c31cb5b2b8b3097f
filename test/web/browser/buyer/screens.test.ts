import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { expectSoundInEveryLook, walkThrough } from '../../../support/browser.js';
import { onStage, type Stage } from './stage.js';

interface ScreenSpec {
  name: string;
  path: string | ((stage: Stage) => Promise<string>);
  title: string;
  /** The element that shows that the data has loaded. */
  ready: (page: Page) => Promise<void>;
}

const oneLead = async ({ market }: Stage): Promise<string> => {
  const [lead] = await market.leads();
  return `/leads/${lead?._id ?? ''}`;
};
const text =
  (wanted: string) =>
  (page: Page): Promise<void> =>
    page.getByText(wanted).first().waitFor();

const SCREENS: readonly ScreenSpec[] = [
  {
    name: 'overview',
    path: '',
    title: 'Overview',
    async ready(page) {
      await page.locator('.plot canvas').last().waitFor();
      const link = page.locator('.several').first();
      await link.waitFor();
      // The fields of a lead follow each other on the lines of the cell.
      expect((await link.boundingBox())?.height).toBeLessThan(80);
    },
  },
  { name: 'leads', path: '/leads', title: 'Leads', ready: text('Doe') },
  { name: 'lead', path: oneLead, title: 'Jane', ready: text('HTTP 200') },
  { name: 'returns', path: '/returns', title: 'Returns', ready: text('Duplicate') },
  { name: 'outcomes', path: '/outcomes', title: 'Import outcomes', ready: text('lead_id,outcome') },
  { name: 'endpoint', path: '/endpoint', title: 'Endpoint', ready: text('HTTP 200') },
  { name: 'postbacks', path: '/postbacks', title: 'Postbacks', ready: text('Code examples') },
  { name: 'terms', path: '/terms', title: 'Terms', ready: text('Price of a lead') },
  {
    name: 'change',
    path: ({ campaignId }) => Promise.resolve(`/terms/${campaignId}/change`),
    title: 'Request a change',
    ready: text('Filters as JSON'),
  },
  {
    name: 'team',
    path: '/team',
    title: 'Team',
    ready: (page) => page.getByRole('table').waitFor(),
  },
];

onStage('the screens of a buyer', { leads: 3 }, (stage) => {
  const walkTo = walkThrough((path, look) => stage().come(path, look));
  for (const { name, path, title, ready } of SCREENS) {
    it(`${title} is sound at 360 and 1280 px, light and dark`, async () => {
      await fill(stage());
      const at = typeof path === 'string' ? path : await path(stage());
      const visit = await walkTo(at);
      await visit.page.getByRole('heading', { level: 1, name: title }).waitFor();
      await ready(visit.page);
      await expectSoundInEveryLook(visit, `buyer-${name}`);
    });
  }

  it('every screen of the navigation is among the tested ones', async () => {
    const { page } = await stage().come('', { width: 1280 });
    const links = page.getByRole('navigation', { name: 'Screens' }).getByRole('link');
    await links.first().waitFor();
    const names = (await links.allTextContents()).toSorted();
    expect(names).toEqual(
      SCREENS.filter(({ name }) => !['lead', 'change'].includes(name))
        .map(({ title }) => title)
        .toSorted(),
    );
  });
});

let filled: Promise<void> | undefined;

/** Creates a return, an outcome and a change request, so that no screen is empty. */
function fill(stage: Stage): Promise<void> {
  filled ??= (async () => {
    const [first, second] = await stage.market.leads();
    const { calls, campaignId } = stage;
    const done = await Promise.all([
      calls.call('request_return', { lead_id: first?._id, reason: 'duplicate', note: 'twice' }),
      calls.call('record_outcome', { lead_id: second?._id, outcome: 'converted', lead_value: 900 }),
      calls.call('request_change', { campaign_id: campaignId, price: 20, reason: 'market' }),
    ]);
    expect(done.map(({ status }) => status)).toEqual([200, 200, 200]);
  })();
  return filled;
}
