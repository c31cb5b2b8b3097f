import { expect, it } from '@jest/globals';
import { expectSound } from '../../../support/browser.js';
import { choose, press, write } from '../../../support/keyboard.js';
import { onStage } from './stage.js';

const PASSWORD = 'four quiet words in a row';

onStage('people of a supplier, by keyboard', {}, (stage) => {
  it('accepts an invitation and arrives at the overview', async () => {
    const email = 'new@example.com';
    const invited = await stage().calls.call('invite_team_member', { email, role: 'viewer' });
    expect(invited.status).toBe(200);
    const { invite_url } = invited.json?.data as { invite_url: string };
    const visit = await stage().stranger({});
    const { page } = visit;
    await page.goto(new URL(invite_url).pathname);
    await expectSound(visit);
    await write(page, page.getByLabel('Your name'), 'Nora New');
    await write(page, page.getByLabel('Password'), PASSWORD);
    await press(page, page.getByRole('button', { name: 'Accept invitation' }));
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await page.getByText('No leads in the last 30 days').waitFor();
    await expectSound(visit);
  });

  it('invites a colleague, whose link is shown once', async () => {
    const email = 'colleague@example.com';
    const visit = await stage().come('/team');
    const { page } = visit;
    await press(page, page.getByRole('button', { name: /^Invite/ }).first());
    const dialog = page.getByRole('dialog');
    await write(page, dialog.getByLabel('Email'), email);
    await choose(page, dialog.getByLabel('Role'), 'V');
    await press(page, dialog.getByRole('button', { name: /^Invite/ }));
    await dialog.getByText('Send this link to').waitFor();
    await expectSound(visit);
    await press(page, dialog.getByRole('button', { name: 'Done' }));
    await page.getByRole('table').getByText(email).first().waitFor();
    await expectSound(visit);
  });

  it('a viewer can read every screen, without any control that writes', async () => {
    const viewer = await stage().member('viewer');
    for (const screen of ['', '/guide', '/posts', '/payout', '/campaigns', '/keys', '/webhook']) {
      const visit = await stage().come(screen, {}, viewer);
      const { page } = visit;
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.locator('main .skeleton').first().waitFor({ state: 'hidden' });
      const names = await page.locator('main').getByRole('button').allTextContents();
      const writing = /Create|Rotate|Revoke|Pause|Resume|Save|Send|Remove/;
      expect(names.filter((name) => writing.test(name))).toEqual([]);
      await expectSound(visit);
    }
  });
});
