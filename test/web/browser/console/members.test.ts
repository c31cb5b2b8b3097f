import { expect, it } from '@jest/globals';
import { expectSound, signIn } from '../../../support/browser.js';
import { choose, chooseItem, press, write } from '../../../support/keyboard.js';
import { onStage } from './stage.js';

onStage('members, by keyboard', (stage) => {
  it('are invited; the link is shown once when no mail server is set', async () => {
    const visit = await stage().come(await stage().member(), '/members');
    const { page } = visit;
    await press(page, page.getByRole('button', { name: 'Invite a person' }));
    await write(page, page.getByLabel('Email'), 'ada@example.com');
    await choose(page, page.getByRole('combobox', { name: 'Role' }), 'Operator');
    await page.keyboard.press('Enter');
    await press(page, page.getByRole('button', { name: 'Invite', exact: true }));
    await page.getByText('It works once').waitFor();
    const link = await page.getByRole('region', { name: 'Invitation' }).innerText();
    expect(link).toMatch(/\/invite\/\S+$/);
    await expectSound(visit);
    await press(page, page.getByRole('button', { name: 'Done' }));
    const row = page.getByRole('row', { name: /ada@example.com/ });
    await row.waitFor();
    expect(await row.innerText()).toMatch(/Invited[\s\S]*Operator/);
  });

  it('are refused with faults beside the field, and what was typed stays', async () => {
    const visit = await stage().come(await stage().member(), '/members');
    const { page } = visit;
    await press(page, page.getByRole('button', { name: 'Invite a person' }));
    const email = page.getByLabel('Email');
    // The browser accepts it as an address, the service does not.
    await write(page, email, 'ada@nowhere');
    await page.keyboard.press('Enter');
    await page.locator('.fault').waitFor();
    expect(await email.getAttribute('aria-invalid')).toBe('true');
    expect(await email.inputValue()).toBe('ada@nowhere');
    await expectSound(visit);
  });

  it('are removed after a confirmation, and lose access at their next request', async () => {
    const removed = await stage().member({ name: 'Rita Removed', role: 'viewer' });
    const { page } = await stage().come(await stage().member(), '/members');
    await press(page, page.getByRole('button', { name: 'Actions for Rita Removed' }));
    await chooseItem(page, 'Remove…');
    await press(page, page.getByRole('dialog').getByRole('button', { name: 'Remove' }));
    await page.getByRole('row', { name: /Rita Removed/ }).waitFor({ state: 'detached' });
    const answer = await fetch(`${stage().bed.url}/console/api/${removed.membership_id}/me`, {
      headers: { cookie: removed.cookie },
    });
    expect(answer.status).toBe(404);
  });

  it('have a list of sessions, each of which can be ended', async () => {
    const watched = await stage().member({ name: 'Walter Watched', role: 'viewer' });
    const visit = await stage().come(await stage().member(), '/members');
    const { page } = visit;
    await press(page, page.getByRole('button', { name: 'Actions for Walter Watched' }));
    await chooseItem(page, 'Sessions…');
    const end = page.getByRole('button', { name: /^End the session of .* from 127\.0\.0\.1$/ });
    await end.waitFor();
    await expectSound(visit);
    await press(page, end);
    await page.getByText('No active sessions').waitFor();
    const answer = await fetch(`${stage().bed.url}/console/api/${watched.membership_id}/me`, {
      headers: { cookie: watched.cookie },
    });
    expect(answer.status).not.toBe(200);
  });

  it('get an invitation again, by a new link, and a link to a new password', async () => {
    const lost = await stage().member({ name: 'Lena Lost', role: 'viewer' });
    const visit = await stage().come(await stage().member(), '/members?invite=1');
    const { page } = visit;
    await write(page, page.getByLabel('Email'), 'again@example.com');
    await page.keyboard.press('Enter');
    await page.getByText('It works once').waitFor();
    const first = await page.getByRole('region', { name: 'Invitation' }).innerText();
    await press(page, page.getByRole('button', { name: 'Done' }));
    await press(page, page.getByRole('button', { name: 'Actions for again@example.com' }));
    await chooseItem(page, 'Resend invitation…');
    await press(page, page.getByRole('dialog').getByRole('button', { name: 'Resend' }));
    await page.getByText('It works once').waitFor();
    const second = await page.getByRole('region', { name: 'Invitation' }).innerText();
    expect([second === first, (await fetch(first)).status, (await fetch(second)).status]).toEqual([
      false,
      404,
      200,
    ]);
    await press(page, page.getByRole('button', { name: 'Done' }));
    await press(page, page.getByRole('button', { name: 'Actions for Lena Lost' }));
    await chooseItem(page, 'Reset password…');
    await press(page, page.getByRole('dialog').getByRole('button', { name: 'Make a link' }));
    const link = await page.getByRole('region', { name: 'Link for a new password' }).innerText();
    expect(link).toMatch(/\/recover\/\S+$/);
    expect(lost.membership_id).toMatch(/^mem_/);
  });

  it('must confirm an old sign-in, and continue where they were', async () => {
    const stale = await stage().member({ isStale: true });
    const visit = await stage().come(stale, '/members');
    const { page, context } = visit;
    await press(page, page.getByRole('button', { name: 'Invite a person' }));
    await write(page, page.getByLabel('Email'), 'late@example.com');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Confirm your identity' });
    await dialog.waitFor();
    const confirm = dialog.getByRole('link', { name: 'Confirm in a new tab' });
    expect(await confirm.getAttribute('href')).toMatch(/^\/confirm\?/);
    await expectSound(visit);
    const fresh = await stage().member({ person_id: stale.person_id, org_id: 'another' });
    await signIn(context, stage().bed.url, fresh.token);
    await press(page, dialog.getByRole('button', { name: 'Continue' }));
    await page.getByText('It works once').waitFor();
  });

  it('sign in again over a form when their session has ended, and lose nothing that was typed', async () => {
    const ended = await stage().member();
    const visit = await stage().come(ended, '/members');
    const { page, context } = visit;
    await press(page, page.getByRole('button', { name: 'Invite a person' }));
    await write(page, page.getByLabel('Email'), 'kept@example.com');
    await stage().bed.collections.sessions.deleteMany({ person_id: ended.person_id });
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Sign in again' });
    await dialog.waitFor();
    await press(page, dialog.getByRole('button', { name: 'Cancel' }));
    expect(await page.getByLabel('Email').inputValue()).toBe('kept@example.com');
    await press(page, page.getByRole('button', { name: 'Invite', exact: true }));
    await dialog.waitFor();
    const again = await stage().member({ person_id: ended.person_id, org_id: 'another' });
    await signIn(context, stage().bed.url, again.token);
    await press(page, dialog.getByRole('button', { name: 'Continue' }));
    await page.getByText('It works once').waitFor();
  });
});
