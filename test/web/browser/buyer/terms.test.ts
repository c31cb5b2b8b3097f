import { expect, it } from '@jest/globals';
import { waitFor } from '../../../support/waitFor.js';
import { expectSound } from '../../../support/browser.js';
import { choose, press, write } from '../../../support/keyboard.js';
import { CAMPAIGN, onStage } from './stage.js';

onStage('a buyer that pauses by request', { rules: { pause: 'request' } }, (stage) => {
  it('asks its seller by keyboard, and still gets leads until the seller decides', async () => {
    const visit = await stage().come('');
    const { page } = visit;
    await press(page, page.getByRole('button', { name: 'Request to pause all campaigns' }));
    const dialog = page.getByRole('dialog', { name: 'Request to pause all campaigns?' });
    await dialog.getByText('The seller must approve it.').waitFor();
    await expectSound(visit);
    await press(page, dialog.getByRole('button', { name: 'Request to pause' }));
    await page.getByText('The request was sent to the seller.').waitFor();
    await expectSound(visit);
    await page.goto(`/portal/${stage().admin.membership_id}/terms`);
    await page.locator('.badge', { hasText: 'Pending' }).waitFor();
    const usage = await stage().calls.call('get_usage');
    expect(usage.json?.data).toMatchObject({ status: 'active' });
    const changes = await stage().calls.call('list_changes');
    expect(changes.json?.data).toMatchObject([
      { state: 'pending', changes: [{ name: 'status', before: 'active', after: 'paused' }] },
    ]);
  });
});

onStage('the terms of a buyer, by keyboard alone', {}, (stage) => {
  it('pauses and resumes', async () => {
    const visit = await stage().come('');
    const { page } = visit;
    const statusIs = (status: string): Promise<boolean> =>
      waitFor(async () => {
        const usage = await stage().calls.call('get_usage');
        return (usage.json?.data as { status: string } | undefined)?.status === status;
      });
    await press(page, page.getByRole('button', { name: 'Pause all campaigns' }));
    await page.getByRole('dialog', { name: 'Pause all campaigns?' }).waitFor();
    await expectSound(visit);
    await press(page, page.getByRole('dialog').getByRole('button', { name: 'Pause' }));
    await page.getByText('No leads are sold to you').waitFor();
    await statusIs('paused');
    await press(page, page.getByRole('button', { name: 'Resume all campaigns' }));
    await press(page, page.getByRole('dialog').getByRole('button', { name: 'Resume' }));
    await page.getByRole('button', { name: 'Pause all campaigns' }).waitFor();
    await statusIs('active');
  });

  it('asks for a change, sees it before and after, and withdraws it', async () => {
    const visit = await stage().come('/terms');
    const { page } = visit;
    await press(page, page.getByRole('link', { name: `Request a change for ${CAMPAIGN}` }));
    await write(page, page.getByLabel(/^Price of a lead/), '21.5');
    await write(page, page.getByLabel('Leads a day'), '90');
    await write(page, page.getByLabel('States'), 'ca, tx');
    await write(page, page.getByLabel('Reason'), 'summer');
    await press(page, page.getByRole('button', { name: 'Review changes' }));
    const compared = page.getByRole('dialog').getByRole('table', { name: 'Before and after' });
    await compared.waitFor();
    expect(await compared.innerText()).toMatch(/\$25\.00\s+\$21\.50/);
    expect(await compared.innerText()).toMatch(/200\s+90/);
    expect(await compared.innerText()).toMatch(/every state\s+CA, TX/);
    await expectSound(visit);
    await press(page, page.getByRole('button', { name: 'Send request' }));
    await page.waitForURL(/\/terms$/);
    await page.locator('.badge', { hasText: 'Pending' }).waitFor();
    await expectSound(visit);
    await press(page, page.getByRole('button', { name: /^Withdraw/ }));
    await press(page, page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }));
    await page.getByText('The request was withdrawn.').waitFor();
    await page.locator('.badge', { hasText: 'Pending' }).waitFor({ state: 'detached' });
  });

  it('sees beside the field what is wrong with filters', async () => {
    const visit = await stage().come(`/terms/${stage().campaignId}/change`);
    const { page } = visit;
    const filters = page.getByLabel(/^Filters as JSON/);
    await write(page, filters, '[{"field": "state"');
    await press(page, page.getByRole('button', { name: 'Review changes' }));
    await page.getByText('The filters must be JSON.').waitFor();
    await write(page, filters, '[{"field": "unheard", "operator": "==", "value": 1}]');
    await press(page, page.getByRole('button', { name: 'Review changes' }));
    await press(page, page.getByRole('button', { name: 'Send request' }));
    await page
      .getByText(/no field unheard/)
      .first()
      .waitFor();
    expect(await filters.getAttribute('aria-invalid')).toBe('true');
    expect(await filters.inputValue()).toContain('unheard');
    await expectSound(visit);
  });

  it('invites a colleague', async () => {
    const visit = await stage().come('/team');
    const { page } = visit;
    const email = 'colleague@example.com';
    await press(page, page.getByRole('button', { name: /^Invite/ }));
    await write(page, page.getByLabel(/mail/), email);
    await choose(page, page.getByRole('combobox', { name: 'Role' }), 'Viewer');
    await press(page, page.getByRole('dialog').getByRole('button', { name: /^Invite/ }));
    await page.getByText('/invite/').first().waitFor();
    await expectSound(visit);
    await page.keyboard.press('Escape');
    await page.getByText(email).first().waitFor();
  });
});
