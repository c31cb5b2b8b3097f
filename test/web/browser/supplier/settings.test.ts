import { expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { systemClock } from '../../../../src/lib/clock.js';
import { configurePortal } from '../../../../src/portal/configure.js';
import { ONE_PIXEL_PNG } from '../../../support/images.js';
import { waitFor } from '../../../support/waitFor.js';
import { expectSound } from '../../../support/browser.js';
import { hasFocus, press, write } from '../../../support/keyboard.js';
import { onStage, type Stage } from './stage.js';

/** Whether the service accepts this key. */
const isTaken = async ({ market, bed, supplierId }: Stage, key: string): Promise<boolean> => {
  const reply = await fetch(`${bed.url}/api/v1/ingest`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: JSON.stringify({
      flo_campaign_id: market.account.campaignId,
      flo_supplier_id: supplierId,
      test_lead: true,
    }),
  });
  // Without fields the lead is refused for its fields, and not for its key.
  return reply.status !== 401;
};

/** Reads the key in the dialog that shows it once, and closes the dialog. */
async function readOnce(page: Page, title: string): Promise<string> {
  const dialog = page.getByRole('dialog', { name: title });
  const secret = await dialog.locator('pre').innerText();
  await press(page, dialog.getByRole('button', { name: 'I have copied it' }));
  await dialog.waitFor({ state: 'hidden' });
  return secret.trim();
}

/** The image properties that the tests need. */
interface ImageInPage {
  decode(): Promise<void>;
  naturalWidth: number;
}

const rowOf = (page: Page, name: string): Locator =>
  page.getByRole('table', { name: 'Keys' }).getByRole('row').filter({ hasText: name });

onStage('a supplier and its settings, by keyboard', {}, (stage) => {
  it('creates a key, rotates it and revokes it', async () => {
    const name = `Server `;
    const visit = await stage().come('/keys');
    const { page } = visit;
    await press(page, page.getByRole('button', { name: 'Create key' }));
    await expectSound(visit);
    const dialog = page.getByRole('dialog', { name: 'Create key' });
    expect(await hasFocus(dialog.getByLabel('Name'))).toBe(true);
    await write(page, dialog.getByLabel('Name'), name);
    await page.keyboard.press('Enter');
    const first = await readOnce(page, 'Your new key');
    expect(await isTaken(stage(), first)).toBe(true);

    await press(page, page.getByRole('button', { name: `Rotate ${name} ` }));
    const rotating = page.getByRole('dialog', { name: `Rotate ${name}` });
    await write(page, rotating.getByLabel('Hours that the old key stays valid'), '2');
    await page.keyboard.press('Enter');
    await page.getByText('The old key is valid until').waitFor();
    await expectSound(visit);
    const second = await readOnce(page, 'Your new key');
    expect(second).not.toBe(first);
    expect([await isTaken(stage(), first), await isTaken(stage(), second)]).toEqual([true, true]);

    const newest = rowOf(page, name).filter({ hasText: 'Additional key' });
    await press(page, newest.getByRole('button', { name: `Revoke ${name} ` }));
    await press(page, page.getByRole('dialog').getByRole('button', { name: 'Revoke' }));
    await page.getByText(`Revoked: ${name}`).waitFor();
    expect(await isTaken(stage(), second)).toBe(false);
    // The button is gone with its row: the focus stays in the table.
    await newest.waitFor({ state: 'detached' });
    await page.getByRole('region', { name: 'Keys' }).and(page.locator(':focus')).waitFor();
    await expectSound(visit);
  });

  it('sets the webhook, tries it and rotates its secret', async () => {
    const visit = await stage().come('/webhook');
    const { page } = visit;
    const address = page.getByLabel('Address');
    await write(page, address, 'no address');
    await write(page, address, `${stage().bed.buyers.url}/decided`);
    await press(page, page.getByRole('button', { name: 'Save webhook' }));
    await readOnce(page, 'The secret of your webhook');
    await press(page, page.getByRole('button', { name: 'Send test event' }));
    await page.getByText('Succeeded', { exact: true }).waitFor();
    await press(page, page.getByRole('button', { name: 'Rotate secret' }));
    await press(page, page.getByRole('dialog').getByRole('button', { name: 'Rotate' }));
    await readOnce(page, 'The secret of your webhook');
    await page.getByText('Old secret valid until').waitFor();
    await expectSound(visit);
    // Another address keeps the secret.
    await write(page, address, `${stage().bed.buyers.url}/decided/elsewhere`);
    await press(page, page.getByRole('button', { name: 'Save webhook' }));
    await page.getByText('The webhook was saved.').waitFor();
  });

  it('pauses everything and resumes', async () => {
    const visit = await stage().come('/campaigns');
    const { page } = visit;
    await press(page, page.getByRole('button', { name: 'Pause all campaigns' }));
    await expectSound(visit);
    await press(page, page.getByRole('dialog').getByRole('button', { name: 'Pause' }));
    await page.getByText('Paused: all campaigns').waitFor();
    const refused = await stage().market.post({ state: 'CA' });
    expect(refused.status).toBeGreaterThanOrEqual(400);
    await press(page, page.getByRole('button', { name: 'Resume all campaigns' }));
    await press(page, page.getByRole('dialog').getByRole('button', { name: 'Resume' }));
    await page.getByText('Resumed: all campaigns').waitFor();
    const taken = await stage().market.post({ state: 'CA' });
    expect(taken.status).toBeLessThan(300);
    await expectSound(visit);
  });

  it('a dialog that is closed by Escape changes nothing, and gives the focus back', async () => {
    const { page } = await stage().come('/campaigns');
    const pause = page.getByRole('button', { name: 'Pause all campaigns' });
    await press(page, pause);
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect(await hasFocus(pause)).toBe(true);
  });

  it('every screen has the name, logo and colors of its operator, light and dark', async () => {
    const { bed, market, supplierId } = stage();
    const place = { side: 'supplier', party_id: supplierId } as const;
    const branding = {
      display_name: 'North & <b>Star</b>',
      primary_color: '#aa0000',
      accent_color: '#0f766e',
      logo: ONE_PIXEL_PNG.toString('base64'),
    };
    await configurePortal(market.account.orgId, place, branding, {
      collections: bed.collections,
      clock: systemClock,
    });
    const visit = await stage().come('/keys');
    const { page } = visit;
    const bar = page.getByRole('banner');
    await bar.getByText('North & <b>Star</b>').waitFor();
    await page.getByRole('button', { name: 'Create key' }).waitFor();
    // Not zero: the browser could decode the image.
    const width = await bar.locator('img').evaluate(async (image: unknown) => {
      await (image as ImageInPage).decode();
      return (image as ImageInPage).naturalWidth;
    });
    expect(width).toBe(1);
    const shown = (name: string) =>
      page.evaluate<string>(`document.documentElement.style.getPropertyValue('${name}')`);
    expect([await shown('--brand'), await shown('--accent')]).toEqual(['#aa0000', '#0f766e']);
    const line = "getComputedStyle(document.querySelector('header.nav')).borderTopColor";
    expect(await page.evaluate<string>(line)).toBe('rgb(170, 0, 0)');
    await expectSound(visit);
    await page.emulateMedia({ colorScheme: 'dark' });
    await waitFor(async () => (await shown('--brand')) !== '#aa0000');
    await expectSound(visit);
    await page.goto(`/portal/${stage().admin.membership_id}/payout`);
    await bar.getByText('North & <b>Star</b>').waitFor();
  });
});
