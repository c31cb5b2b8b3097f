import { expect, it } from '@jest/globals';
import { expectSound } from '../../../support/browser.js';
import { choose, press, tabTo, write } from '../../../support/keyboard.js';
import { CAMPAIGN, onStage, PING_CAMPAIGN } from './stage.js';

onStage('a supplier that begins to post, by keyboard', {}, (stage) => {
  it('reads the guide of a campaign and copies the code', async () => {
    const visit = await stage().come('/guide');
    const { page, context } = visit;
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await choose(page, page.getByLabel('Campaign', { exact: true }), CAMPAIGN);
    const fields = page.getByRole('table', { name: 'Fields of a lead' });
    await fields.getByText('one of: flat, steep').waitFor();
    await tabTo(page, page.getByRole('tab', { name: 'curl' }));
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.getByRole('tab', { name: 'Python', selected: true }).waitFor();
    await press(page, page.getByRole('button', { name: 'Copy Post a test lead' }));
    await page.getByText('Copied', { exact: true }).waitFor();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(copied).toContain('import urllib.request');
    expect(copied).toContain(stage().supplierId);
    expect(copied).toContain(stage().market.account.campaignId);
    await expectSound(visit);
  });

  it('sends a test lead that is refused with the reasons, then one that is accepted', async () => {
    const visit = await stage().come('/console');
    const { page } = visit;
    await choose(page, page.getByLabel('Campaign', { exact: true }), CAMPAIGN);
    const phone = page.getByLabel('Phone', { exact: false }).first();
    const roof = page.getByLabel(/^Roof/);
    await write(page, phone, '12');
    await write(page, roof, 'round');
    const send = page.getByRole('button', { name: 'Send test lead' });
    await press(page, send);
    await page.getByRole('heading', { name: /Response: HTTP 4/ }).waitFor();
    expect(await phone.getAttribute('aria-invalid')).toBe('true');
    expect(await roof.getAttribute('aria-invalid')).toBe('true');
    await expectSound(visit);
    await write(page, phone, '5552013355');
    await write(page, roof, 'flat');
    await press(page, send);
    await page.getByRole('heading', { name: /Response: HTTP 20/ }).waitFor();
    await press(page, page.getByRole('link', { name: 'View in the log' }));
    await page.getByRole('heading', { level: 1, name: 'Post' }).waitFor();
    await page.getByText('TEST', { exact: true }).waitFor();
    await expectSound(visit);
  });

  it('sends a lead as JSON; invalid JSON is reported beside the field', async () => {
    const visit = await stage().come('/console');
    const { page } = visit;
    await choose(page, page.getByLabel('Campaign', { exact: true }), CAMPAIGN);
    await choose(page, page.getByLabel('Input format'), 'JSON');
    const json = page.getByLabel('JSON', { exact: true });
    await write(page, json, '{"state": ');
    const send = page.getByRole('button', { name: 'Send test lead' });
    await press(page, send);
    await page.getByText('This is not JSON').waitFor();
    expect(await json.getAttribute('aria-invalid')).toBe('true');
    await write(page, json, '{"state": "NY"}');
    await press(page, send);
    await page.getByRole('heading', { name: /Response: HTTP/ }).waitFor();
    await page
      .getByRole('region', { name: 'Response', exact: true })
      .locator('li code', { hasText: 'state' })
      .waitFor();
    await expectSound(visit);
  });

  it('sends a test ping, then posts with it', async () => {
    const visit = await stage().come('/console');
    const { page } = visit;
    await choose(page, page.getByLabel('Campaign', { exact: true }), PING_CAMPAIGN);
    await choose(page, page.getByLabel('Type', { exact: true }), 'Ping');
    await press(page, page.getByRole('button', { name: 'Send test ping' }));
    await page.getByRole('heading', { name: /Response: HTTP 200/ }).waitFor();
    await page.getByText('"ping_id"').waitFor();
    await expectSound(visit);
    await choose(page, page.getByLabel('Type', { exact: true }), 'Lead');
    await page.getByText('The lead is posted with the ping that you sent.').waitFor();
    await press(page, page.getByRole('button', { name: 'Send test lead' }));
    await page.getByRole('heading', { name: /Response: HTTP 20/ }).waitFor();
    await expectSound(visit);
  });
});
