/** The pages as people see them in Chromium: light and dark, narrow and wide. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { generateSync } from 'otplib';
import { createSetupToken } from '../../../../src/people/links/hostLinks.js';
import { describeInBrowser, expectSoundInEveryLook } from '../../../support/browser.js';
import { makeOrg } from '../../../support/org.js';
import { CLIENT, startProvider } from '../../pages/provider.js';
import {
  PASSWORD,
  signIn,
  startPagesBed,
  type Member,
  type PagesBed,
} from '../../pages/pagesBed.js';

/** axe checks each page in four looks, which takes seconds on a busy machine. */
const LIMIT_MS = 240_000;

let bed: PagesBed;
beforeAll(async () => {
  bed = await startPagesBed();
});
afterAll(() => bed.stop());

/** Pages that the users' guide shows, by the names of their screenshots. */
const SHOWN = new Map([
  ['/sign-in', 'sign-in'],
  ['invite', 'invitation'],
]);

const sessionOf = ({ visitor }: Member): string => visitor.cookies.get('__Host-lw') ?? '';

describeInBrowser('the pages of signing in', (open) => {
  it(
    'are sound for guests at 360 and 1280 px, light and dark',
    async () => {
      const [invited, member] = await Promise.all([bed.invite(), bed.member()]);
      const org = await makeOrg(bed.collections, 'Fresh '.repeat(18).trim());
      const setup = await createSetupToken(bed.collections, org._id, new Date());
      const again = await bed.invite({
        email: member.email,
        scope: await bed.buyer(),
        role: 'viewer',
      });
      const guest = await open({ url: bed.url });
      const links = [invited.path, again.path, `/setup/${setup}`, '/invite/none'];
      for (const path of ['/sign-in', '/sign-in/organization', '/recover', ...links]) {
        await guest.page.goto(path);
        await expectSoundInEveryLook(guest, SHOWN.get(path.replace(invited.path, 'invite')));
      }
    },
    LIMIT_MS,
  );

  it(
    'are sound for people at 360 and 1280 px, light and dark',
    async () => {
      const member = await bed.member();
      const invited = await bed.invite({
        email: member.email,
        scope: await bed.buyer(),
        role: 'viewer',
      });
      const known = await open({ url: bed.url, session: sessionOf(member) });
      const { page } = known;
      for (const path of ['/sign-in?again=1', invited.path]) {
        await page.goto(path);
        await expectSoundInEveryLook(known);
      }
      await page.getByRole('button', { name: 'Accept invitation' }).click();
      await page.waitForURL(/\/portal\/mem_/);
      await page.goto('/choose');
      await expectSoundInEveryLook(known, 'choose');
      await page.getByRole('link', { name: 'Your account' }).click();
      await page.getByRole('button', { name: 'Save name' }).press('Enter');
      await page.getByText('Your name was saved.').waitFor();
      await expectSoundInEveryLook(known, 'account');
      await page.getByRole('button', { name: 'Turn on' }).click();
      await page.getByRole('heading', { name: 'Turn on two-step sign-in' }).waitFor();
      await expectSoundInEveryLook(known);
      const key = (await page.locator('code').textContent())?.replaceAll(' ', '') ?? '';
      await page.getByLabel('6-digit code from the app').fill(generateSync({ secret: key }));
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Your backup codes' }).waitFor();
      await expectSoundInEveryLook(known);
    },
    LIMIT_MS,
  );

  it('show faults at 360 and 1280 px, light and dark, with the cursor at the first', async () => {
    const guest = await open({ url: bed.url });
    await guest.page.goto('/sign-in');
    await guest.page.getByLabel('Email address').press('Enter');
    await guest.page.getByText('Enter your password.').waitFor();
    await expectSoundInEveryLook(guest);
    expect(await guest.page.evaluate('document.activeElement.id')).toBe('email');
    expect(await guest.page.title()).toBe('Error: Sign in · Leadwire');
  });

  it('take a person from an invitation to two-step sign-in by keyboard alone', async () => {
    const { path, email } = await bed.invite();
    const { page, troubles } = await open({ url: bed.url });
    const type = async (...parts: string[]) => {
      for (const part of parts) {
        await page.keyboard.type(part);
        await page.keyboard.press('Tab');
      }
    };
    await page.goto(path);
    await page.getByLabel('Password').focus();
    await type(PASSWORD);
    await page.keyboard.type('Kim Keys');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/org\/mem_/);
    await page.goto('/account');
    await page.getByRole('button', { name: 'Turn on' }).press('Enter');
    const key = (await page.locator('code').textContent())?.replaceAll(' ', '') ?? '';
    await page.getByLabel('6-digit code from the app').focus();
    await page.keyboard.type(generateSync({ secret: key }));
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Your backup codes' }).waitFor();
    const code = (await page.locator('.codes li').first().textContent()) ?? '';
    await page.getByRole('button', { name: 'Sign out' }).press('Enter');
    await page.getByText('You are signed out.').waitFor();
    // The browser moves the focus when it has drawn the page: a key pressed before that is lost.
    await page.locator('input:focus').waitFor();
    await type(email);
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Enter your code' }).waitFor();
    await page.locator('input:focus').waitFor();
    await page.keyboard.type(code);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/org\/mem_/);
    expect(troubles().filter((one) => !one.startsWith('console:'))).toEqual([]);
  });

  it("accept an invitation with the organization's sign-in", async () => {
    const provider = await startProvider(`${bed.url}/oidc/callback`);
    const settings = { ...CLIENT, issuer: provider.issuer, is_enabled: true };
    await bed.people.oidc.configure(bed.org.id, settings);
    const { path } = await bed.invite();
    const { page } = await open({ url: bed.url });
    provider.comes('subject of the browser');
    await page.goto(path);
    await page.getByRole('button', { name: "Accept with your organization's sign-in" }).click();
    await page.waitForURL(/\/org\/mem_/);
    await page.goto('/account');
    await page.getByRole('heading', { name: 'Signed in with your organization' }).waitFor();
    await bed.people.oidc.configure(bed.org.id, null);
    await provider.stop();
  });

  it('name the signed-in person when another tab has signed in as another person', async () => {
    const [first, second] = await Promise.all([bed.member(), bed.member()]);
    const { page, context } = await open({ url: bed.url, session: sessionOf(first) });
    await page.goto('/account');
    const other = await context.newPage();
    await other.goto('/sign-in?again=1');
    await other.getByLabel('Email address').fill(second.email);
    await other.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await other.keyboard.press('Enter');
    await other.waitForURL(/\/org\/mem_/);
    await page.getByRole('button', { name: 'Save name' }).click();
    await page.getByRole('heading', { name: 'Another person is signed in now' }).waitFor();
    expect((await signIn(bed.visitor(), first)).status).toBe(303);
  });
});
