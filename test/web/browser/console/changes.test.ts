import { beforeAll, expect, it } from '@jest/globals';
import type { PortalClient } from '../../../support/portal.js';
import { expectSound, screenshot } from '../../../support/browser.js';
import { press, write } from '../../../support/keyboard.js';
import { onStage } from './stage.js';

onStage('change requests, by keyboard', (stage) => {
  let north: PortalClient;
  beforeAll(async () => {
    north = await stage().north();
  });

  const ask = async (price: number): Promise<void> => {
    const { campaignId: campaign_id } = stage().market.account;
    const change = { campaign_id, price, reason: 'Why not' };
    expect((await north.call('request_change', change)).status).toBe(200);
  };
  const states = async (): Promise<unknown[]> => {
    const { json } = await north.call('list_changes');
    return (json?.data as { state: string; note: string | null }[]).map(({ state, note }) => [
      state,
      note,
    ]);
  };

  it('are shown before and after, and approved with a note that the partner reads', async () => {
    await ask(12);
    const visit = await stage().come(await stage().member({ role: 'operator' }), '/requests');
    const { page } = visit;
    await page.getByRole('cell', { name: 'Price of a lead' }).waitFor();
    await press(page, page.getByRole('button', { name: 'Decide the request of North' }));
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByRole('row', { name: /Price of a lead/ }).innerText()).toMatch(
      /\$10\.00[\s\S]*\$12\.00/,
    );
    await expectSound(visit);
    await screenshot(visit, 'org-change-dialog', { width: 1280 });
    await write(page, dialog.getByLabel('Note to the partner'), 'Fine');
    await press(page, dialog.getByRole('button', { name: 'Approve' }));
    await page.getByText('Approved: the new terms apply').waitFor();
    expect((await states())[0]).toEqual(['approved', 'Fine']);
  });

  it('are decided once: the second person sees who decided', async () => {
    await ask(14);
    const [first, second] = await Promise.all([
      stage().come(await stage().member({ name: 'Fiona First' }), '/requests'),
      stage().come(await stage().member({ name: 'Simon Second' }), '/requests'),
    ]);
    for (const { page } of [first, second])
      await press(page, page.getByRole('button', { name: 'Decide the request of North' }));
    const dialog = first.page.getByRole('dialog');
    await press(first.page, dialog.getByRole('button', { name: 'Refuse' }));
    await first.page.getByText('The request was refused.').waitFor();
    const other = second.page.getByRole('dialog');
    await press(second.page, other.getByRole('button', { name: 'Approve' }));
    const alert = second.page.getByRole('dialog').getByRole('alert');
    await alert.waitFor();
    expect(await alert.innerText()).toContain('Fiona First');
    await expectSound(second);
    expect((await states())[0]).toEqual(['refused', null]);
  });

  it('keep the filtered state in the address', async () => {
    const { page } = await stage().come(await stage().member(), '/requests?state=refused');
    await page.getByRole('cell', { name: 'Refused' }).first().waitFor();
    await page.reload();
    await page.getByRole('cell', { name: 'Refused' }).first().waitFor();
    await page.getByRole('button', { name: 'Refused', pressed: true }).waitFor();
  });
});
