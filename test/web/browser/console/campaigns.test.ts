import { expect, it } from '@jest/globals';
import { expectSound, expectSoundInEveryLook, screenshot } from '../../../support/browser.js';
import { press, write } from '../../../support/keyboard.js';
import { aLead } from '../../../support/storedRows.js';
import { onStage, type Stage } from './stage.js';

/** A sold lead and one that a buyer rejected, received now. */
async function trade({ bed, market, orgId }: Stage): Promise<void> {
  const { campaignId: campaign_id, suppliers, buyers } = market.account;
  const supplier_id = suppliers[0]!.id;
  const buyer_id = buyers.North!;
  const of = { org_id: orgId, campaign_id, supplier_id, changes: 1, uncounted: true as const };
  const sale = { buyer_id, attempt: 1, price: 20e6, cost: 8e6, at: new Date() };
  const rejected = { at: new Date(), step: 'delivery', result: 'rejected', buyer_id } as const;
  await bed.collections.leads.insertMany([
    aLead({ ...of, created_at: new Date(), status: 'ACCEPTED', buyer_id, sales: [sale] }),
    aLead({ ...of, created_at: new Date(), status: 'UNMATCHED', trail: [rejected] }),
  ]);
}

onStage('campaigns', (stage) => {
  it('are listed, and one shows where its leads go and why others were not sold', async () => {
    await trade(stage());
    const admin = await stage().member();
    const visit = await stage().come(admin, '/campaigns', { width: 1280 });
    const { page } = visit;
    await page.locator('tbody a').first().waitFor();
    await expectSoundInEveryLook(visit, 'campaigns');
    await page.locator('tbody a').first().click();
    await page.getByRole('heading', { name: 'Where its leads go' }).waitFor();
    const flow = page.locator('.flow');
    await flow.getByText('Passed every check').first().waitFor();
    expect(await flow.getByRole('link', { name: /^North/ }).getAttribute('href')).toContain(
      `/buyers/${stage().market.account.buyers.North}`,
    );
    await page.getByRole('link', { name: 'North rejected it', exact: true }).waitFor();
    await page.locator('.chart-legend').getByText('Version published').waitFor();
    const days = page.getByRole('slider', { name: /^Accepted leads of/ });
    await days.press('End');
    expect(await days.getAttribute('aria-valuetext')).toMatch(/: Accepted .+\. Version 1: Created/);
    await days.press('Escape');
    await expectSoundInEveryLook(visit, 'campaign');
  });

  it('are paused after a confirmation, by keyboard, and the toast takes it back', async () => {
    const { campaignId } = stage().market.account;
    const { page } = await stage().come(await stage().member(), `/campaigns/${campaignId}`);
    await press(page, page.getByRole('button', { name: 'Pause' }));
    await press(page, page.getByRole('dialog').getByRole('button', { name: 'Pause' }));
    await page.getByRole('button', { name: 'Resume' }).waitFor();
    await press(page, page.getByRole('button', { name: 'Undo' }));
    await page.getByRole('button', { name: 'Pause' }).waitFor();
  });

  it('keep what was typed when another person was faster, and show both', async () => {
    const { campaignId } = stage().market.account;
    const { page } = await stage().come(await stage().member(), `/campaigns/${campaignId}`);
    await press(page, page.getByRole('button', { name: 'Edit settings' }));
    const dialog = page.getByRole('dialog');
    await write(page, dialog.getByLabel('Daily cap (optional)'), '70');
    await sellsTwice(`/campaigns/${campaignId}`);
    await press(page, dialog.getByRole('button', { name: 'Save settings' }));
    await dialog.getByText('Another person changed this campaign').waitFor();
    expect(await dialog.getByRole('row', { name: /Daily cap/ }).innerText()).toMatch(/70 leads/);
    expect(await dialog.getByRole('row', { name: /Maximum sales/ }).innerText()).toMatch(/1\s+2/);
  });

  it('are made from their list, and their forms are sound', async () => {
    const visit = await stage().come(await stage().member(), '/campaigns');
    const { page } = visit;
    await press(page, page.getByRole('button', { name: 'New campaign' }));
    const dialog = page.getByRole('dialog');
    await write(page, dialog.getByLabel('Name'), 'شمسي <b>Solar</b>');
    await expectSound(visit);
    await screenshot(visit, 'campaign-new', { width: 1280 });
    await press(page, dialog.getByRole('button', { name: 'Create campaign' }));
    await page.getByRole('heading', { level: 1, name: 'شمسي <b>Solar</b>' }).waitFor();
    await page.getByText('No lead was decided in 30 days').waitFor();
    await press(page, page.getByRole('button', { name: 'Edit settings' }));
    await page.getByRole('dialog').getByLabel('Daily cap (optional)').waitFor();
    await expectSound(visit);
    await screenshot(visit, 'campaign-settings', { width: 1280 });
  });

  it('take a test lead, and tell suppliers how to post', async () => {
    const { campaignId } = stage().market.account;
    const visit = await stage().come(await stage().member(), `/campaigns/${campaignId}/test`);
    const { page } = visit;
    await press(page, page.getByRole('button', { name: 'Send test lead' }));
    await page.getByRole('heading', { name: 'What happened' }).waitFor();
    await page.getByText('What was sent').waitFor();
    await expectSoundInEveryLook(visit, 'campaign-test');
    await press(page, page.getByRole('link', { name: 'Posting guide' }));
    await page.getByText('curl', { exact: false }).first().waitFor();
    await expectSoundInEveryLook(visit, 'campaign-guide');
    await press(page, page.getByRole('button', { name: 'How' }));
    await page.getByText('campaigns api-spec', { exact: false }).first().waitFor();
  });

  /** Another person changes another setting meanwhile. */
  async function sellsTwice(path: string): Promise<void> {
    const { page } = await stage().come(await stage().member({ name: 'Otto Other' }), path);
    await page.getByRole('button', { name: 'Edit settings' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Maximum sales').fill('2');
    await dialog.getByRole('button', { name: 'Save settings' }).click();
    await page.getByText(/^The settings of .* are saved/).waitFor();
  }

  it('have no act that a role may not use', async () => {
    const viewer = await stage().member({ role: 'viewer', name: 'Vera Viewer' });
    const { campaignId } = stage().market.account;
    const { page } = await stage().come(viewer, `/campaigns/${campaignId}`);
    await page.getByRole('heading', { name: 'Settings', exact: true }).waitFor();
    for (const name of ['Pause', 'Edit settings'])
      expect(await page.getByRole('button', { name }).count()).toBe(0);
  });
});
