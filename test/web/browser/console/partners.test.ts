import { expect, it } from '@jest/globals';
import { ONE_PIXEL_PNG } from '../../../support/images.js';
import { waitFor } from '../../../support/waitFor.js';
import { expectSound, screenshot } from '../../../support/browser.js';
import { choose, hasFocus, press, tabTo, write } from '../../../support/keyboard.js';
import { onStage } from './stage.js';

onStage("partners' portals, by keyboard", (stage) => {
  it('are opened, get a person, and are closed', async () => {
    const visit = await stage().come(await stage().member(), '/buyers');
    const { page } = visit;
    await press(page, page.getByRole('link', { name: 'South' }));
    await page.getByRole('heading', { level: 1, name: 'South' }).waitFor();
    await press(page, page.getByRole('link', { name: 'Portal', exact: true }));
    await press(page, page.getByRole('button', { name: 'Open the portal' }));
    await page.getByText('The portal was opened.').waitFor();
    await press(page, page.getByRole('button', { name: 'Invite a person' }));
    await write(page, page.getByLabel('Email'), 'south@example.com');
    await page.keyboard.press('Enter');
    await page.getByText('It works once').waitFor();
    await press(page, page.getByRole('button', { name: 'Done' }));
    await page.getByRole('row', { name: /south@example.com/ }).waitFor();
    await press(page, page.getByRole('button', { name: 'Close the portal' }));
    await press(page, page.getByRole('dialog').getByRole('button', { name: 'Close the portal' }));
    await page.getByText('The portal was closed.').waitFor();
    await expectSound(visit);
  });

  it('get settings, a logo and colors, which partners see at once', async () => {
    const north = await stage().north();
    const path = `/partners/buyer/${stage().market.account.buyers.North}`;
    const visit = await stage().come(await stage().member(), path);
    const { page } = visit;
    await choose(page, page.getByLabel('Returns'), 'No');
    await page.keyboard.press('Enter');
    await write(page, page.getByLabel('Name'), 'North Star');
    await write(page, page.getByLabel('Button color'), '#aa0000');
    await page
      .getByLabel('Logo (optional)')
      .setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: ONE_PIXEL_PNG });
    await press(page, page.getByRole('button', { name: 'Save' }));
    await page.getByText('The settings were saved.').waitFor();
    await page.getByText('A logo is set.').waitFor();
    expect(await page.getByLabel('Name').inputValue()).toBe('North Star');
    expect(await hasFocus(page.getByRole('button', { name: 'Save' }))).toBe(true);
    await expectSound(visit);
    const { json } = await north.me();
    const { settings } = json?.data as { settings: { branding: { logo_id: string | null } } };
    expect(settings.branding.logo_id).not.toBeNull();
    expect(json?.data).toMatchObject({
      settings: {
        returns: false,
        branding: { name: 'North Star', primary_color: '#aa0000' },
      },
    });
    // A second save of the same form keeps what the first one set.
    await write(page, page.getByLabel('Name'), 'North Pole');
    await press(page, page.getByRole('button', { name: 'Save' }));
    await waitFor(async () => JSON.stringify((await north.me()).json?.data).includes('North Pole'));
    expect((await north.me()).json?.data).toMatchObject({ settings: { returns: false } });
  });

  it('are seen by an admin as their people see them, and changed by nobody there', async () => {
    await stage().north();
    const path = `/buyers/${stage().market.account.buyers.North}/portal`;
    const visit = await stage().come(await stage().member(), path);
    const { page } = visit;
    await press(page, page.getByRole('link', { name: 'View as this buyer' }));
    const notice = page.getByRole('note').filter({ hasText: 'You see what a viewer in the team' });
    await notice.waitFor();
    await page.getByRole('heading', { level: 1 }).waitFor();
    await expectSound(visit);
    await screenshot(visit, 'org-portal-visit');
    await page.goto(`${page.url()}/team`);
    await page.getByRole('heading', { level: 1, name: 'Team' }).waitFor();
    expect(await page.getByRole('button', { name: /Invite|Remove/ }).count()).toBe(0);
    await press(page, notice.getByRole('link', { name: 'Back to the console' }));
    await page.getByText('The portal is open').waitFor();
  });

  it('show beside the field why a color or a logo is refused', async () => {
    const path = `/partners/buyer/${stage().market.account.buyers.North}`;
    const visit = await stage().come(await stage().member(), path);
    const { page } = visit;
    const colour = page.getByLabel('Highlight color');
    await write(page, colour, '#ffff00');
    await press(page, page.getByRole('button', { name: 'Save' }));
    await page
      .getByText(/contrast of at least/)
      .first()
      .waitFor();
    await tabTo(page, colour);
    expect(await colour.getAttribute('aria-invalid')).toBe('true');
    await write(page, colour, '');
    await page
      .getByLabel('Logo (optional)')
      .setInputFiles({ name: 'huge.png', mimeType: 'image/png', buffer: Buffer.alloc(900_000) });
    await press(page, page.getByRole('button', { name: 'Save' }));
    await page.getByText('at most 200 kB; this file has 900 kB').waitFor();
    expect(await page.getByLabel('Logo (optional)').getAttribute('aria-invalid')).toBe('true');
    await page
      .getByLabel('Logo (optional)')
      .setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from('<svg/>') });
    await press(page, page.getByRole('button', { name: 'Save' }));
    await page
      .getByText(/must be a PNG or JPEG/)
      .first()
      .waitFor();
    await expectSound(visit);
  });
});
