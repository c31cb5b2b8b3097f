/** The parts that lists of records are made of, as the page of the design shows them. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { HttpServer } from '../../../src/api/http/server.js';
import { webEndpoints } from '../../../src/web/server/index.js';
import { describeInBrowser, expectSound } from '../../support/browser.js';
import { startServer } from '../../support/http.js';
import { hasFocus, press } from '../../support/keyboard.js';

const WIDE = 1440;

let server: HttpServer;
beforeAll(async () => {
  server = await startServer({}, {}, { pages: webEndpoints });
});
afterAll(() => server.close(0));

describeInBrowser('lists of records', (open) => {
  const openList = async (width = WIDE): Promise<Page> => {
    const { page } = await open({ url: server.url, width });
    await page.goto('/portal/design?rows=240');
    await list(page).waitFor();
    return page;
  };
  const list = (page: Page) => page.getByRole('region', { name: 'Many leads' });
  const row = (page: Page, nth: number) => list(page).locator(`tr[data-key=lead_${nth}]`);

  it('moves by j and k, selects by x and a range by Shift+X, and draws only the rows in sight', async () => {
    const page = await openList();
    expect(await list(page).locator('tbody tr').count()).toBeLessThan(60);
    for (const key of ['j', 'x', 'j', 'j', 'Shift+X']) await page.keyboard.press(key);
    expect(await hasFocus(row(page, 2))).toBe(true);
    expect(await page.getByRole('region', { name: 'Selected rows' }).innerText()).toContain(
      '3 selected',
    );
    await page.keyboard.press('k');
    expect(await hasFocus(row(page, 1))).toBe(true);
    for (let step = 0; step < 80; step += 1) await page.keyboard.press('j');
    expect(await hasFocus(row(page, 81))).toBe(true);
    await page.getByRole('button', { name: 'Clear selection' }).click();
    expect(await page.getByRole('region', { name: 'Selected rows' }).count()).toBe(0);
  });

  it('selects a range by a click with Shift', async () => {
    const page = await openList();
    await row(page, 1).getByRole('checkbox').click();
    await row(page, 4)
      .getByRole('checkbox')
      .click({ modifiers: ['Shift'] });
    expect(await list(page).locator('tr.selected').count()).toBe(4);
  });

  it('opens a row beside the list, follows j there, and gives the focus back on Esc', async () => {
    const page = await openList();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    const panel = page.getByRole('complementary', { name: 'Lead' });
    await panel.getByRole('heading', { name: 'Ana Lindqvist' }).waitFor();
    await page.keyboard.press('j');
    await panel.getByRole('heading', { name: 'Bo' }).waitFor();
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    expect(await hasFocus(row(page, 1))).toBe(true);
  });

  it('covers the list with the detail on a phone, where rows are cards', async () => {
    const visit = await open({ url: server.url });
    const { page } = visit;
    await page.goto('/portal/design?rows=240');
    await row(page, 0).waitFor();
    // Of the head, the box that selects all is left.
    const heads = list(page).getByRole('columnheader');
    expect(await heads.count()).toBe(1);
    await heads.getByRole('checkbox', { name: 'Select all rows shown' }).waitFor();
    await row(page, 0).getByText('Rejected').click();
    const panel = page.getByRole('complementary', { name: 'Lead' });
    expect(await hasFocus(panel)).toBe(true);
    await expectSound(visit);
    await page.getByRole('button', { name: 'Close panel' }).click();
    expect(await panel.count()).toBe(0);
  });

  it('keeps the choice of columns in the browser, and takes it back', async () => {
    const page = await openList();
    const header = list(page).getByRole('columnheader', { name: 'Lead ID' });
    expect(await header.count()).toBe(0);
    await press(page, page.getByRole('button', { name: 'Columns' }));
    await page.getByRole('checkbox', { name: 'Lead ID' }).check();
    await page.keyboard.press('Escape');
    await page.reload();
    await header.waitFor();
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('button', { name: 'Reset columns' }).click();
    expect(await header.count()).toBe(0);
  });

  it('filters by chips: each is added, changed and removed by keyboard', async () => {
    const page = await openList();
    await press(page, page.getByRole('button', { name: 'Add filter' }));
    await press(page, page.getByRole('dialog').getByRole('button', { name: 'Status' }));
    await page.getByRole('checkbox', { name: 'Rejected' }).waitFor();
    await press(page, page.getByRole('checkbox', { name: 'Rejected' }), ' ');
    await page.keyboard.press('Escape');
    expect(await page.getByRole('button', { name: 'Status: Rejected' }).count()).toBe(1);
    await page.getByText('80 leads').waitFor();
    await press(page, page.getByRole('button', { name: 'Remove filter Status' }));
    await page.getByText('240 leads').waitFor();
  });
});
