/** The buyers of a campaign in a grid, by keyboard; a change tried and saved; two editors; versions. */
import { beforeAll, expect, it } from '@jest/globals';
import { updateBuyerLink } from '../../../../src/account/links/buyerLinks.js';
import { expectSoundInEveryLook, type Look } from '../../../support/browser.js';
import { accountOf } from '../../../support/org.js';
import type { SignedInMember } from '../../../support/portal.js';
import { onStage } from './stage.js';

const WIDE: Partial<Look> = { width: 1440 };

onStage("a campaign's links", (stage) => {
  let admin: SignedInMember;
  beforeAll(async () => {
    admin = await stage().member();
  });

  const campaign = () => stage().market.account.campaignId;
  const north = () => stage().market.account.buyers.North!;
  const at = (screen: string) => `/campaigns/${campaign()}/${screen}`;
  const link = (buyer_id: string) =>
    stage().bed.collections.campaignBuyers.findOne({ campaign_id: campaign(), buyer_id });
  /** Another editor, at another place. */
  const setPrice = (price: number) =>
    updateBuyerLink(
      accountOf(
        { collections: stage().bed.collections, author: { action: 'test' } },
        stage().orgId,
      ),
      { campaign_id: campaign(), buyer_id: north() },
      { price },
    );

  it('has a cap raised where an address leads, in two keys and the number', async () => {
    const path = at(`buyers?buyer=${north()}&focus=daily_cap`);
    const { page, troubles } = await stage().come(admin, path, WIDE);
    await page.getByLabel('Daily cap, North').and(page.locator(':focus')).waitFor();
    await page.keyboard.type('500');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Save 1 change' }).click();
    await page.getByText(/^Saved as version/).waitFor();
    expect((await link(north()))?.caps).toMatchObject({ daily_cap: 500 });
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText(/is taken back/).waitFor();
    expect((await link(north()))?.caps).toEqual({});
    expect(troubles()).toEqual([]);
  });

  it('is edited by keyboard as a spreadsheet: arrows, typing, Tab, Escape, faults, undo', async () => {
    const { page } = await stage().come(admin, at('buyers'), WIDE);
    const cell = (row: string, column: number) =>
      page
        .getByRole('row', { name: new RegExp(row) })
        .locator('[data-cell]')
        .nth(column);
    await cell('North', 0).focus();
    // Name, status, price.
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await cell('North', 2).and(page.locator(':focus')).waitFor();
    await page.keyboard.type('41');
    await page.keyboard.press('Tab');
    await cell('North', 3).and(page.locator(':focus')).waitFor();
    await page.keyboard.type('many');
    await page.keyboard.press('Enter');
    await page.getByText('“many” is not a number.').first().waitFor();
    expect(await cell('North', 3).getAttribute('aria-invalid')).toBe('true');
    await cell('South', 3).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('F2');
    await page.keyboard.type('9');
    await page.keyboard.press('Escape');
    await page.getByText('2 changes in 1 row').waitFor();
    // All or nothing: the faulty cell is gone to, and nothing is saved.
    await page.getByRole('button', { name: 'Save 2 changes' }).click();
    await page.getByLabel('Priority, North').and(page.locator(':focus')).waitFor();
    expect(await page.locator('.cell-field').inputValue()).toBe('many');
    expect((await link(north()))?.price).not.toBe(41_000_000);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+z');
    await page.getByText('1 change in 1 row').waitFor();
    await page.getByRole('button', { name: 'Save 1 change' }).click();
    await page.getByText(/^Saved as version/).waitFor();
    expect((await link(north()))?.price).toBe(41_000_000);
  });

  it('is previewed before it is saved, and asks before it is left', async () => {
    const { page, troubles } = await stage().come(
      admin,
      at(`buyers?buyer=${north()}&focus=price`),
      WIDE,
    );
    await page
      .getByLabel(/North$/)
      .and(page.locator(':focus'))
      .waitFor();
    await page.keyboard.type('43');
    await page.keyboard.press('Enter');
    await page.locator('.save-bar').getByRole('link', { name: 'Preview' }).click();
    await page.getByText('Leads compared').waitFor();
    await page.getByText('1 change in 1 row').waitFor();
    await page.getByRole('link', { name: 'Members' }).click();
    await page.getByRole('dialog', { name: 'Leave with unsaved changes?' }).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
    await page.getByText('Nothing is changed yet').waitFor();
    expect(troubles()).toEqual([]);
  });

  it('lets the later of two editors see both values, and choose', async () => {
    const { page } = await stage().come(admin, at(`buyers?buyer=${north()}&focus=price`), WIDE);
    await page
      .getByLabel(/North$/)
      .and(page.locator(':focus'))
      .waitFor();
    await page.keyboard.type('50');
    await page.keyboard.press('Enter');
    await setPrice(45);
    await page.getByRole('button', { name: 'Save 1 change' }).click();
    const dialog = page.getByRole('dialog', { name: 'Others changed this campaign' });
    await dialog.getByText('Theirs: $45.00').waitFor();
    await dialog.getByText('Mine: $50.00').waitFor();
    expect((await link(north()))?.price).toBe(45_000_000);
    await dialog.getByRole('button', { name: 'Keep these values' }).click();
    await page.getByRole('button', { name: 'Save 1 change' }).click();
    await page.getByText(/^Saved as version/).waitFor();
    expect((await link(north()))?.price).toBe(50_000_000);
  });

  it('is paused at once, with Undo', async () => {
    const { page } = await stage().come(admin, at('buyers'), WIDE);
    await page.getByRole('button', { name: 'Pause North' }).click();
    await page.getByText(/North is paused in/).waitFor();
    expect((await link(north()))?.status).toBe('paused');
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: 'Pause North' }).waitFor();
    expect((await link(north()))?.status).toBe('active');
  });

  it('goes back to an earlier version, and forward again', async () => {
    await setPrice(61);
    const { page } = await stage().come(admin, at('versions'), WIDE);
    const now =
      (await stage().bed.collections.campaigns.findOne({ _id: campaign() }))?.plan_version ?? 0;
    await page.getByText(/North: price of a lead \$\S+ → \$61\.00/).waitFor();
    await page.getByRole('button', { name: `Changes of version ${now}` }).click();
    expect(page.url()).toContain(`a=${now - 1}&b=${now}`);
    await page.getByRole('table', { name: `Version ${now - 1} and version ${now}` }).waitFor();
    await page.getByRole('button', { name: `Revert to version ${now - 1}` }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('$61.00').waitFor();
    await dialog.getByRole('button', { name: `Revert to version ${now - 1}` }).click();
    await page.getByText(`Version ${now + 1} has the settings of version ${now - 1}.`).waitFor();
    expect((await link(north()))?.price).not.toBe(61_000_000);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText(`says the same as version ${now} again`).waitFor();
    expect((await link(north()))?.price).toBe(61_000_000);
  });

  it.each([
    ['buyers', 'North'],
    ['suppliers', 'Search'],
    ['versions', 'Decides new leads'],
    ['preview', 'Nothing is changed yet'],
  ])('has %s that are sound at 360 and 1280 px, light and dark', async (screen, text) => {
    const visit = await stage().come(admin, at(screen));
    if (screen !== 'suppliers') await visit.page.locator('main').getByText(text).first().waitFor();
    await expectSoundInEveryLook(visit, `links-${screen}`);
  });

  it('has a cap raised on a phone, in a card', async () => {
    const path = at(`buyers?buyer=${north()}&focus=daily_cap`);
    const { page } = await stage().come(admin, path);
    const card = page.getByRole('article').filter({ hasText: 'North' });
    await card.getByLabel('Daily cap').fill('70');
    await card.getByLabel('Daily cap').press('Enter');
    await page.getByRole('button', { name: 'Save 1 change' }).click();
    await page.getByText(/^Saved as version/).waitFor();
    expect((await link(north()))?.caps).toMatchObject({ daily_cap: 70 });
  });

  it('is shown to a viewer, who changes nothing', async () => {
    const viewer = await stage().member({ role: 'viewer', name: 'Vera Viewer' });
    const { page } = await stage().come(viewer, at(`buyers?buyer=${north()}&focus=price`), WIDE);
    await page.getByRole('rowheader', { name: /North/ }).waitFor();
    for (const name of ['Pause North', 'Add buyer'])
      expect(await page.getByRole('button', { name }).count()).toBe(0);
    expect(await page.locator('.cell-field').count()).toBe(0);
  });
});
