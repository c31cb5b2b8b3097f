import { expect, it } from '@jest/globals';
import { YES } from '../../../support/fakeBuyer.js';
import { waitFor } from '../../../support/waitFor.js';
import { expectSound } from '../../../support/browser.js';
import { press, write } from '../../../support/keyboard.js';
import { BUYER, onStage } from './stage.js';

onStage(
  'the endpoint of a buyer, by keyboard alone',
  { buyer: { when_unavailable: 'WAIT' } },
  (stage) => {
    it('sends a test lead, and shows what was answered', async () => {
      const visit = await stage().come('/endpoint');
      const { page } = visit;
      const before = stage().bed.buyers.requests.length;
      await press(page, page.getByRole('button', { name: 'Send test lead' }));
      await page.getByRole('region', { name: 'Response', exact: true }).waitFor();
      await page.getByText('accepted', { exact: true }).waitFor();
      expect(stage().bed.buyers.requests.length).toBe(before + 1);
      expect(await stage().market.leads()).toHaveLength(0);
      await expectSound(visit);
    });

    it('changes the address, once it is confirmed', async () => {
      const address = `${stage().bed.buyers.url}/elsewhere`;
      const visit = await stage().come('/endpoint');
      const { page } = visit;
      await press(page, page.locator('summary', { hasText: 'Edit endpoint' }));
      await write(page, page.getByLabel('Address'), 'no address');
      await page.keyboard.press('Enter');
      expect(await page.getByRole('dialog').isVisible()).toBe(false);
      await write(page, page.getByLabel('Address'), address);
      await press(page, page.getByRole('button', { name: 'Save endpoint' }));
      const dialog = page.getByRole('dialog', { name: 'Change where leads are sent?' });
      await dialog.waitFor();
      await expectSound(visit);
      await press(page, dialog.getByRole('button', { name: 'Change endpoint' }));
      await page.getByText('The endpoint was updated.').waitFor();
      const buyer = await stage().bed.collections.buyers.findOne({ _id: stage().buyerId });
      expect(JSON.stringify(buyer)).toContain('/elsewhere');
    });

    it('rotates a secret with an overlap, and shows it once', async () => {
      const visit = await stage().come('/endpoint');
      const { page } = visit;
      await press(page, page.getByRole('button', { name: 'Rotate the signing secret' }));
      const dialog = page.getByRole('dialog', { name: 'Rotate the signing secret' });
      await write(page, dialog.getByLabel('Overlap in hours'), '48');
      await expectSound(visit);
      await press(page, dialog.getByRole('button', { name: 'Rotate', exact: true }));
      const once = page.getByRole('dialog', { name: 'New signing secret' });
      const shown = once.getByRole('region', { name: 'New secret' });
      await shown.waitFor();
      await once.locator(':focus').waitFor();
      const secret = (await shown.textContent()) ?? '';
      expect(secret.length).toBeGreaterThan(20);
      await expectSound(visit);
      await press(page, once.getByRole('button', { name: 'I have copied it' }));
      await once.waitFor({ state: 'hidden' });
      await page.getByText('The previous secret is valid until').waitFor();
      expect(await page.content()).not.toContain(secret);
    });
  },
);

onStage(
  'a failed delivery, by keyboard alone',
  { buyer: { when_unavailable: 'WAIT' } },
  (stage) => {
    it('is sent again', async () => {
      const { market } = stage();
      // It is not sent again by itself in the meantime.
      market.behave(BUYER, () => ({ status: 503, headers: { 'retry-after': '600' } }));
      const { id } = await market.post();
      await waitFor(async () => {
        const { json } = await stage().calls.call('list_attempts', { state: 'waiting' });
        return (json?.data as { can_resend: boolean }[] | undefined)?.[0]?.can_resend;
      });
      const visit = await stage().come('/endpoint?state=waiting');
      const { page } = visit;
      await press(page, page.locator('summary', { hasText: 'Waiting' }));
      const again = page.getByRole('button', { name: /^Resend/ });
      market.behave(BUYER, () => YES);
      await press(page, again);
      await expectSound(visit);
      const dialog = page.getByRole('dialog', { name: 'Resend this lead?' });
      await press(page, dialog.getByRole('button', { name: 'Resend' }));
      await page.getByText('Resending now.').waitFor();
      await market.becomes(id, 'ACCEPTED');
    });
  },
);
