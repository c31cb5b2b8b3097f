import { readFile } from 'node:fs/promises';
import { expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { waitFor } from '../../../support/waitFor.js';
import { expectSound } from '../../../support/browser.js';
import { choose, hasFocus, press, tabTo, write } from '../../../support/keyboard.js';
import { onStage } from './stage.js';

/** The rows of the table's body. */
const rowsOf = (page: Page): Locator =>
  page.getByRole('table', { name: 'Leads' }).locator('tbody').getByRole('row');

const settles = (rows: Locator, count: number): Promise<boolean> =>
  waitFor(async () => (await rows.count()) === count, { message: `${count} rows` });

onStage('a buyer and its leads, by keyboard alone', { leads: 52 }, (stage) => {
  it('finds a lead by its name', async () => {
    await stage().sell({ last_name: 'Searched' });
    const visit = await stage().come('/leads');
    const { page } = visit;
    await write(page, page.getByLabel('Search'), 'Searched');
    await page.keyboard.press('Enter');
    await page.waitForURL(/search=Searched/);
    await settles(rowsOf(page), 1);
    await press(page, rowsOf(page).getByRole('link', { name: 'Searched' }));
    await page.getByRole('heading', { level: 1, name: 'Jane Searched' }).waitFor();
    await page.getByText('Searched', { exact: true }).waitFor();
    await expectSound(visit);
  });

  it('filters, and goes from page to page', async () => {
    const visit = await stage().come('/leads');
    const { page } = visit;
    await settles(rowsOf(page), 50);
    const first = await rowsOf(page).first().textContent();
    await press(page, page.getByRole('button', { name: 'Next' }));
    await page.getByText('Page 2').waitFor();
    expect(await rowsOf(page).first().textContent()).not.toBe(first);
    expect(await hasFocus(page.getByRole('region', { name: 'Leads' }))).toBe(true);
    // Back from a lead, the list is where it was left.
    await press(page, rowsOf(page).first().getByRole('link').first());
    await page.getByRole('heading', { level: 1, name: /^Jane / }).waitFor();
    await page.goBack();
    await page.getByText('Page 2').waitFor();
    await press(page, page.getByRole('button', { name: 'Previous' }));
    await page.getByText('Page 1').waitFor();
    expect(await rowsOf(page).first().textContent()).toBe(first);

    await choose(page, page.getByLabel('Status'), 'Returned');
    await press(page, page.getByRole('button', { name: 'Apply' }));
    await page.waitForURL(/status=returned/);
    await page.getByText('No leads match').waitFor();
    await page.reload();
    await page.getByText('No leads match').waitFor();
    expect(await page.getByLabel('Status').inputValue()).toBe('returned');
    await expectSound(visit);
    await press(page, page.getByRole('button', { name: 'Clear' }));
    await settles(rowsOf(page), 50);
  });

  it('exports what the filter finds as CSV', async () => {
    const last = '=Exported';
    const id = await stage().sell({ last_name: last });
    const at = `/leads?search=${encodeURIComponent(last)}`;
    const visit = await stage().come(at);
    const { page } = visit;
    await settles(rowsOf(page), 1);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      press(page, page.getByRole('link', { name: 'Export as CSV' })),
    ]);
    const csv = await readFile(await download.path(), 'utf8');
    const lines = csv.trim().split('\r\n');
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain(id);
    expect(lines[1]).toContain(`'${last}`);
    expect(visit.troubles()).toEqual([]);
  });

  it('opens a lead, and reads what was sent and answered', async () => {
    const id = await stage().sell({ last_name: 'Read' });
    const visit = await stage().come(`/leads/${id}`);
    const { page } = visit;
    await press(page, page.locator('summary', { hasText: 'HTTP 200' }));
    const request = page.getByRole('region', { name: /^Request/ });
    await request.waitFor();
    expect(await request.textContent()).toContain(`"last_name": "Read"`);
    expect(await page.getByRole('region', { name: /^Response/ }).textContent()).toContain('ok');
    await page.getByText('Accepted').first().waitFor();
    await tabTo(page, request);
    await expectSound(visit);
  });
});
