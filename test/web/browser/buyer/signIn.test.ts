import { expect, it } from '@jest/globals';
import { generateSync } from 'otplib';
import type { Page } from 'playwright-core';
import { expectSound } from '../../../support/browser.js';
import { goTo, press, write } from '../../../support/keyboard.js';
import { CAMPAIGN, onStage, type Stage } from './stage.js';

const PASSWORD = 'four words of no meaning';
const STEP_SECONDS = 30;

/** The link that the buyer's admin passes on. */
async function invited({ calls }: Stage, email: string): Promise<string> {
  const { json } = await calls.call('invite_team_member', { email, role: 'viewer' });
  const { invite_url: url } = json?.data as { invite_url: string };
  return new URL(url).pathname;
}

/** Opens the invitation, and chooses a password. */
async function accept(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await write(page, page.getByLabel('Your name'), 'Vera Viewer');
  await write(page, page.getByLabel('Password'), PASSWORD);
  await press(page, page.getByRole('button', { name: 'Accept invitation' }));
  await page.waitForURL(/\/portal\/mem_/);
}

onStage('coming to the portal of a buyer, by keyboard alone', {}, (stage) => {
  it('accepts an invitation, chooses a password, and is in the portal', async () => {
    const path = await invited(stage(), 'invited@example.com');
    const visit = await stage().stranger({});
    const { page } = visit;
    await page.goto(path);
    await page.getByText('invites').first().waitFor();
    await expectSound(visit);
    await accept(page, path);
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await page.getByText(CAMPAIGN).first().waitFor();
    await expectSound(visit);
  });

  it('signs in with a second step', async () => {
    const email = 'twostep@example.com';
    const visit = await stage().stranger({});
    const { page } = visit;
    await accept(page, await invited(stage(), email));
    await page.goto('/account');
    await press(page, page.getByRole('button', { name: 'Turn on' }));
    await page.getByText(/^Key:/).waitFor();
    const secret = ((await page.locator('code').first().textContent()) ?? '').replaceAll(' ', '');
    await write(page, page.getByLabel(/^6-digit code/), generateSync({ secret }));
    await press(page, page.getByRole('button', { name: 'Turn on' }));
    await page.getByText('I have saved them').waitFor();
    await expectSound(visit);

    await visit.context.clearCookies();
    await page.goto('/sign-in');
    await write(page, page.getByLabel('Email address'), email);
    await write(page, page.getByLabel('Password'), PASSWORD);
    await press(page, page.getByRole('button', { name: 'Sign in' }));
    await page.getByLabel('Code').waitFor();
    await expectSound(visit);
    // A code works once, and the code of this step was used to turn it on.
    const epoch = Math.floor(Date.now() / 1000) + STEP_SECONDS;
    await write(page, page.getByLabel('Code'), generateSync({ secret, epoch }));
    await press(page, page.getByRole('button', { name: 'Sign in' }));
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await expectSound(visit);
  });

  it('shows a viewer everything, without any control that changes something', async () => {
    await stage().sell();
    const viewer = await stage().member('viewer');
    const visit = await stage().come('', {}, viewer);
    const { page } = visit;
    await page.getByText(CAMPAIGN).first().waitFor();
    expect(await page.getByRole('button', { name: /Pause/ }).count()).toBe(0);
    await goTo(page, 'Endpoint');
    await page.getByText('Timeout').waitFor();
    for (const act of [/Rotate/, /Save endpoint/, /Send test lead/])
      expect(await page.getByRole('button', { name: act }).count()).toBe(0);
    const [lead] = await stage().market.leads();
    await page.goto(`/portal/${viewer.membership_id}/leads/${lead?._id ?? ''}`);
    await page.getByRole('list', { name: 'Deliveries' }).getByText('HTTP 200').waitFor();
    for (const act of [/Save outcome/, /Return lead/])
      expect(await page.getByRole('button', { name: act }).count()).toBe(0);
    expect(visit.troubles()).toEqual([]);
  });
});
