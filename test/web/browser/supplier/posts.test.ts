import { beforeAll, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { expectSound } from '../../../support/browser.js';
import { choose, press, tabTo, write } from '../../../support/keyboard.js';
import { onStage, postSome } from './stage.js';

onStage('a supplier that asks what became of its posts, by keyboard', {}, (stage) => {
  beforeAll(async () => {
    await postSome(stage());
    await stage().bed.repair();
  });

  it('finds a post and why it was refused', async () => {
    const visit = await stage().come('/posts?from=garbage&to=275760-09-13');
    const { page } = visit;
    await write(page, page.getByLabel('From'), '01012026');
    await page.waitForURL(/from=2026-01-01/);
    await choose(page, page.getByLabel('Lead status'), 'Rejected');
    await page.waitForURL(/status=REJECTED/);
    const row = page.getByRole('table', { name: 'Posts' }).getByRole('row').nth(1);
    await row.getByText('Rejected').waitFor();
    await press(page, row.getByRole('link').first());
    await page.getByRole('heading', { level: 1, name: 'Post' }).waitFor();
    await page.getByRole('heading', { level: 2, name: 'Reason' }).waitFor();
    await page.locator('main li code', { hasText: 'state' }).waitFor();
    await expectSound(visit);
  });

  it('keeps the filters when the page is loaded again', async () => {
    const visit = await stage().come('/posts?status=DUPLICATE&kind=lead');
    const { page } = visit;
    await page.reload();
    const row = page.getByRole('table', { name: 'Posts' }).getByRole('row').nth(1);
    await press(page, row.getByRole('link', { name: 'Earlier lead' }));
    await page.getByText('Accepted', { exact: true }).waitFor();
    await expectSound(visit);
  });

  it('reads the payout of a week and downloads it', async () => {
    const visit = await stage().come('/payout');
    const { page } = visit;
    const week = weekOf('America/New_York');
    const from = page.getByLabel('From');
    await page.getByRole('table', { name: 'Payout by campaign' }).waitFor();
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/get_payout')) asked.push(request.postData() ?? '');
    });
    await clear(page, from);
    await page.keyboard.type(week.typed);
    await page.waitForURL(new RegExp(`from=${week.from}`));
    expect(asked).toEqual([expect.stringContaining(week.from)]);
    await page.getByRole('table', { name: 'Payout by campaign' }).getByText('$12.00').waitFor();
    await expectSound(visit);
    const download = page.waitForEvent('download');
    await press(page, page.getByRole('link', { name: 'Download CSV' }));
    expect((await download).suggestedFilename()).toMatch(/\.csv$/);
  });

  it('a range of one day too many is reported before any request', async () => {
    const visit = await stage().come('/payout?from=2026-01-01&to=2026-11-01');
    await visit.page.getByText('At most 92 days at once').waitFor();
    await expectSound(visit);
  });

  it("another supplier's post is not found, and the request id is shown", async () => {
    const visit = await stage().come('/posts/ffffffff-0000-4000-8000-000000000000');
    await visit.page.getByRole('alert').getByText('Request ID:').waitFor();
    await expectSound(visit);
  });
});

/** Empties a date part by part, as a person does, and returns to the first one. */
async function clear(page: Page, date: Locator): Promise<void> {
  await tabTo(page, date);
  for (const move of ['ArrowRight', 'ArrowRight', 'ArrowLeft']) {
    await page.keyboard.press('Backspace');
    await page.keyboard.press(move);
  }
  await page.keyboard.press('ArrowLeft');
}

/** The last seven days: the first in ISO format, and as a person types it into a date field. */
function weekOf(timeZone: string): { from: string; typed: string } {
  const from = new Intl.DateTimeFormat('sv-SE', { timeZone }).format(Date.now() - 6 * 86_400_000);
  const [year = '', month = '', day = ''] = from.split('-');
  return { from, typed: `${month}${day}${year}` };
}
