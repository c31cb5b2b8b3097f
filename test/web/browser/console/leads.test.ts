/** The list of leads: found, filtered, opened beside the list, followed as they arrive, kept as a view. */
import { readFile } from 'node:fs/promises';
import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { Lead } from '../../../../src/leads/rules/lead.js';
import { expectSound, expectSoundInEveryLook } from '../../../support/browser.js';
import { press } from '../../../support/keyboard.js';
import { aLead } from '../../../support/storedRows.js';
import { onStage, type Stage } from './stage.js';

const WIDE = { width: 1440 };

onStage('the list of leads', (stage) => {
  /** Leads of minutes ago, so that none of them is new. */
  const put = async ({ bed, market, orgId }: Stage, ...some: Partial<Lead>[]): Promise<Lead[]> => {
    const { campaignId } = market.account;
    const leads = some.map((more, nth) =>
      aLead({
        org_id: orgId,
        campaign_id: campaignId,
        status: 'UNMATCHED',
        takes: 1,
        created_at: new Date(Date.now() - (nth + 1) * 60_000),
        ...more,
      }),
    );
    await bed.collections.leads.insertMany(leads);
    return leads;
  };
  const person = (first_name: string, last_name: string, phone: string): Partial<Lead> => ({
    fields: { first_name, last_name, phone, state: 'TX' },
    keys: [`phone:${phone}`, `first_name:${first_name}`, `last_name:${last_name}`],
  });
  const list = (page: Page) => page.getByRole('region', { name: 'Leads, newest first' });

  it('finds a lead by its phone or name, opens it beside the list, and keeps all that in the address', async () => {
    await put(
      stage(),
      { ...person('Noor', 'Smith', '+14155550101'), trail: [closing('no_buyer')] },
      person('Ana', 'Smith', '+14155550102'),
      person('<b>Bo</b>', 'שלום', '+14155550103'),
    );
    const { page } = await stage().come(await stage().member(), '/leads', WIDE);
    await list(page).getByText('<b>Bo</b>').waitFor();
    await page.getByPlaceholder('Phone, email, name or click ID').fill('noor smith');
    await page.keyboard.press('Enter');
    await page.waitForURL(/search=noor\+smith/u);
    await list(page).getByText('Ana Smith').waitFor({ state: 'detached' });
    expect(await list(page).locator('tbody tr').count()).toBe(1);
    await page.getByPlaceholder('Phone, email, name or click ID').fill('(415) 555-0102');
    await page.keyboard.press('Enter');
    await list(page).getByText('Ana Smith').waitFor();
    await press(page, page.getByRole('button', { name: 'Status: any' }));
    await page.getByRole('dialog').getByRole('button', { name: 'Unmatched' }).click();
    await page.waitForURL(/status=UNMATCHED/u);
    await list(page)
      .locator('tbody tr')
      .first()
      .click({ position: { x: 300, y: 10 } });
    const panel = page.getByRole('complementary', { name: 'Lead' });
    await panel.getByRole('heading', { name: 'Ana Smith' }).waitFor();
    await page.reload();
    await panel.getByRole('heading', { name: 'Ana Smith' }).waitFor();
    expect(new URL(page.url()).searchParams.get('status')).toBe('UNMATCHED');
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
  });

  it('is sound at 360 and 1280 px, light and dark, with a panel open', async () => {
    const [lead] = await put(stage(), person('Xy'.repeat(60), 'Long', '+14155550104'));
    const visit = await stage().come(await stage().member(), `/leads?lead=${lead?._id ?? ''}`);
    await visit.page.getByRole('complementary', { name: 'Lead' }).getByText('Lead ID').waitFor();
    await expectSoundInEveryLook(visit);
  });

  it('counts new leads without moving the list, and shows them when asked', async () => {
    await put(stage(), person('Old', 'Lead', '+14155550105'));
    const { page } = await stage().come(await stage().member(), '/leads?live=1', WIDE);
    await page.locator('.live-dot.on').waitFor();
    await put(stage(), { ...person('Fresh', 'One', '+14155550106'), created_at: new Date() });
    const show = page.getByRole('button', { name: 'Show 1 new lead' });
    await show.waitFor();
    expect(await list(page).getByText('Fresh One').count()).toBe(0);
    await press(page, show);
    await list(page).getByText('Fresh One').waitFor();
    expect(await show.count()).toBe(0);
  });

  it('keeps filters and columns as a view, shows it to its owner, and undoes its deletion', async () => {
    const refused = person('Ray', 'Refused', '+14155550108');
    await put(stage(), { ...refused, status: 'REJECTED', created_at: new Date() });
    const who = await stage().member({ role: 'viewer' });
    const { page } = await stage().come(who, '/leads?status=REJECTED&days=7d', WIDE);
    const supplier = page.getByRole('columnheader', { name: 'Supplier' });
    await supplier.waitFor();
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('checkbox', { name: 'Supplier' }).uncheck();
    await page.keyboard.press('Escape');
    await press(page, page.getByRole('button', { name: 'Save view' }));
    await page.getByRole('textbox', { name: 'Name' }).fill('Rejected this week');
    await page.getByRole('dialog').getByRole('button', { name: 'Save view' }).click();
    await page.getByText('View “Rejected this week” saved.').waitFor();
    await page.goto(`/org/${who.membership_id}/leads`);
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('button', { name: 'Reset columns' }).click();
    await supplier.waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Saved views' }).click();
    await page.getByRole('button', { name: 'Rejected this week', exact: true }).click();
    await page.waitForURL(/days=7d/u);
    await supplier.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Saved views' }).click();
    await page.getByRole('button', { name: 'Delete view Rejected this week' }).click();
    await page.getByText('View “Rejected this week” deleted.').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('deleted.').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Saved views' }).click();
    await page.getByRole('button', { name: 'Delete view Rejected this week' }).waitFor();
  });

  it('saves a file with the columns that are chosen', async () => {
    await put(stage(), person('Fae', 'Filed', '+14155550109'));
    const visit = await stage().come(await stage().member(), '/leads?search=Filed', WIDE);
    const { page } = visit;
    await press(page, page.getByRole('button', { name: 'Custom CSV' }));
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('checkbox', { name: 'Phone' }).check();
    await dialog.getByRole('checkbox', { name: 'Cost' }).uncheck();
    await expectSound(visit);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Download CSV' }).click(),
    ]);
    const [head, row] = (await readFile(await download.path(), 'utf8')).split(/\r?\n/u);
    expect(head?.split(',')).toEqual(expect.arrayContaining(['id', 'phone', 'revenue']));
    expect(head).not.toContain('cost');
    expect(row).toContain('4155550109');
  });

  it('shows a viewer leads without the person, and no act', async () => {
    await put(stage(), person('Secretname', 'Hidden', '+14155550107'));
    const { page } = await stage().come(await stage().member({ role: 'viewer' }), '/leads', WIDE);
    await list(page).getByText('Unmatched').first().waitFor();
    expect(await page.content()).not.toContain('Secretname');
    expect(await list(page).getByRole('checkbox').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Download CSV' }).count()).toBe(0);
  });

  it('requests returns of selected leads after saying what would happen', async () => {
    const { market, bed } = stage();
    const { buyers } = market.account;
    const at = new Date(Date.now() - 3_600_000);
    const sale = { buyer_id: buyers.North!, attempt: 1, price: 1e6, cost: 0, at };
    await put(
      stage(),
      {
        ...person('Sold', 'One', '+14155550108'),
        status: 'ACCEPTED',
        buyer_id: buyers.North!,
        sales: [sale],
      },
      person('Unsold', 'Two', '+14155550109'),
    );
    const { page } = await stage().come(await stage().member(), '/leads', WIDE);
    await list(page).locator('tr', { hasText: 'Sold One' }).getByRole('checkbox').check();
    await list(page).locator('tr', { hasText: 'Unsold Two' }).getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Request returns' }).click();
    await page.getByRole('button', { name: 'See what would happen' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('1 return will be requested').waitFor();
    await dialog.getByText('1 cannot be returned').waitFor();
    await dialog.getByText('was not sold').waitFor();
    expect(await bed.collections.returns.countDocuments({ org_id: stage().orgId })).toBe(0);
    await press(page, dialog.getByRole('button', { name: 'Request 1' }));
    await dialog.getByText('1 return requested.').waitFor();
    expect(await bed.collections.returns.countDocuments({ org_id: stage().orgId })).toBe(1);
    await press(page, dialog.getByRole('button', { name: 'Done' }));
    expect(await page.getByRole('region', { name: 'Selected rows' }).count()).toBe(0);
  });
});

const closing = (reason: string): Lead['trail'][number] => ({
  at: new Date(),
  step: 'closing',
  result: 'UNMATCHED',
  reason,
});
