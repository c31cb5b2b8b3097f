import { readFile } from 'node:fs/promises';
import { expect, it } from '@jest/globals';
import { waitFor } from '../../../support/waitFor.js';
import { expectSound } from '../../../support/browser.js';
import { choose, press, write } from '../../../support/keyboard.js';
import { onStage } from './stage.js';

onStage('a buyer with its leads, by keyboard alone', {}, (stage) => {
  const saleOf = async (id: string) => (await stage().market.lead(id)).sales[0];

  it('records an outcome', async () => {
    const id = await stage().sell();
    const visit = await stage().come(`/leads/${id}`);
    const { page } = visit;
    await choose(page, page.getByLabel('Outcome'), 'Converted');
    await write(page, page.getByLabel(/^Deal value/), '4800');
    await write(page, page.getByLabel('Note'), 'signed on Monday');
    await press(page, page.getByRole('button', { name: 'Save outcome' }));
    await page.getByText('The outcome was saved.').waitFor();
    await page.getByText('$4,800.00').waitFor();
    await page.getByText('signed on Monday').first().waitFor();
    expect(await saleOf(id)).toMatchObject({ outcome: 'converted' });
    await expectSound(visit);
  });

  it('sees beside the field what is wrong with an outcome, and keeps what it typed', async () => {
    const id = await stage().sell();
    const visit = await stage().come(`/leads/${id}`);
    const { page } = visit;
    await choose(page, page.getByLabel('Outcome'), 'Converted');
    await write(page, page.getByLabel(/^Deal value/), '2000000000');
    await write(page, page.getByLabel('Note'), 'kept');
    await press(page, page.getByRole('button', { name: 'Save outcome' }));
    await waitFor(
      async () => (await page.getByLabel(/^Deal value/).getAttribute('aria-invalid')) === 'true',
    );
    expect(await page.getByLabel('Note').inputValue()).toBe('kept');
    await expectSound(visit);
  });

  it('returns a lead', async () => {
    const id = await stage().sell();
    const visit = await stage().come(`/leads/${id}`);
    const { page } = visit;
    await choose(page, page.getByLabel('Reason'), 'Duplicate');
    await write(page, page.getByLabel('Details'), 'we have her already');
    await press(page, page.getByRole('button', { name: 'Return lead' }));
    await expectSound(visit);
    await press(page, page.getByRole('button', { name: 'Request return' }));
    await page.getByText('The return was requested.').waitFor();
    await page.locator('.badge', { hasText: 'Pending' }).waitFor();
    await page.getByRole('heading', { level: 1 }).and(page.locator(':focus')).waitFor();
    expect(await stage().bed.collections.returns.findOne({ lead_id: id })).toMatchObject({
      reason: 'duplicate',
      note: 'we have her already',
      state: 'requested',
    });
    await page.goto(`/portal/${stage().admin.membership_id}/returns`);
    await page.getByRole('link', { name: id.slice(0, 18) }).waitFor();
  });

  it('imports outcomes from a file, and gets a report by line', async () => {
    const id = await stage().sell();
    const file = ['lead_id,outcome,note', `${id},converted,by file`, 'unknown,converted,'];
    const visit = await stage().come('/outcomes');
    const { page } = visit;
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      press(page, page.getByLabel('CSV file'), 'Space'),
    ]);
    const buffer = Buffer.from(file.join('\r\n'));
    await chooser.setFiles({ name: 'outcomes.csv', mimeType: 'text/csv', buffer });
    await press(page, page.getByRole('button', { name: 'Check only' }));
    await page.getByText('1 would be recorded, 1 refused.').waitFor();
    expect((await saleOf(id))?.outcome).toBeUndefined();

    await press(page, page.getByRole('button', { name: 'Import', exact: true }));
    await page.getByText('1 recorded, 1 refused').waitFor();
    expect(await saleOf(id)).toMatchObject({ outcome: 'converted' });
    await expectSound(visit);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      press(page, page.getByRole('button', { name: 'Download the report' })),
    ]);
    const report = await readFile(await download.path(), 'utf8');
    expect(report.split('\r\n').slice(1, 3)).toEqual([
      expect.stringMatching(`^2,done,${id}`),
      expect.stringMatching(/^3,refused/),
    ]);
  });
});
