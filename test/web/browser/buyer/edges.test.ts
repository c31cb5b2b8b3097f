import { expect, it } from '@jest/globals';
import { openPortal } from '../../../support/portal.js';
import { expectSound, signIn } from '../../../support/browser.js';
import { goTo, press, write } from '../../../support/keyboard.js';
import { BUYER, onStage } from './stage.js';

const MARKUP = `<img src=x onerror="window.ran=1"><script>window.ran=1</script>`;
const RIGHT_TO_LEFT = 'עדה \u202Eלובלייס';
const LONG = 'x'.repeat(10_000);

onStage('what people write, on the screens of a buyer', {}, (stage) => {
  it('shows markup, right-to-left text and 10,000 characters as text', async () => {
    const id = await stage().sell();
    const fields = { first_name: MARKUP, last_name: RIGHT_TO_LEFT, comment: LONG };
    await stage().rewrite(id, fields);
    for (const screen of ['/leads', `/leads/${id}`]) {
      const visit = await stage().come(screen);
      const { page } = visit;
      await page.getByText('<img src=x').first().waitFor();
      expect(await page.evaluate('window.ran')).toBeUndefined();
      await expectSound(visit);
    }
  });

  it('reports that the data of an erased lead was deleted', async () => {
    const id = await stage().sell({ last_name: 'Forgotten' });
    await stage().rewrite(id, {});
    const visit = await stage().come(`/leads/${id}`);
    await visit.page.getByText("This person's data was deleted").waitFor();
    expect(await visit.page.content()).not.toContain('Forgotten');
    await expectSound(visit);
  });

  it('keeps what was typed when the session ends inside a form, and sends it after a new sign-in', async () => {
    const id = await stage().sell();
    const member = await stage().member('admin');
    const visit = await stage().come(`/leads/${id}`, {}, member);
    const { page } = visit;
    const { sessions } = stage().bed.collections;
    const session = await sessions.findOne({ id: member.session_id });
    await write(page, page.getByLabel('Note'), 'long to type');
    await sessions.deleteOne({ id: member.session_id });
    await press(page, page.getByRole('button', { name: 'Save outcome' }));
    const dialog = page.getByRole('dialog', { name: 'Sign in again' });
    await dialog.waitFor();
    await expectSound(visit);
    expect(await page.getByLabel('Note').inputValue()).toBe('long to type');
    if (session) await sessions.insertOne(session);
    await press(page, dialog.getByRole('button', { name: 'Continue' }));
    await page.getByText('The outcome was saved.').waitFor();
    await page.getByText('long to type').first().waitFor();
    expect(visit.troubles()).toEqual([]);
  });

  it('shows two accounts their own data in two tabs of one browser', async () => {
    const other = await stage().bed.market({ buyers: { Southern: {} } });
    const { account } = other;
    await stage().sell({ last_name: 'Northerner' });
    await other.post({ last_name: 'Southerner' });
    const { person_id, email } = stage().admin;
    const second = await openPortal(
      stage().bed.collections,
      { org_id: account.orgId, side: 'buyer', party_id: account.buyers.Southern ?? '' },
      {},
      { person_id, email },
    );
    const visit = await stage().come('/leads');
    const { page, context } = visit;
    const tab = await context.newPage();
    await tab.goto(`/portal/${second.membership_id}/leads`);
    await tab.getByText('Southerner').waitFor();
    await page.getByText('Northerner').waitFor();
    await page.reload();
    await page.getByText('Northerner').waitFor();
    expect(await page.content()).not.toContain('Southerner');
    expect(await tab.content()).not.toContain('Northerner');
    expect(await page.getByText(BUYER).count()).toBeGreaterThan(0);
  });

  it('shows a refusal with its request id, and retries', async () => {
    const visit = await stage().come('/leads');
    const { page } = visit;
    let isDown = true;
    await page.route('**/list_returns', (route) =>
      isDown
        ? route.fulfill({
            status: 503,
            json: { error: 'unavailable', message: 'It is down.', request_id: 'req_123' },
          })
        : route.fallback(),
    );
    await goTo(page, 'Returns');
    await page.getByText('req_123').first().waitFor();
    isDown = false;
    await press(page, page.getByRole('button', { name: 'Try again' }).first());
    await page.getByText('No returns yet').waitFor();
  });

  it('changes nothing for a person who has signed in in another tab since, and says so', async () => {
    const id = await stage().sell();
    const [first, second] = await Promise.all([stage().member('admin'), stage().member('admin')]);
    const visit = await stage().come(`/leads/${id}`, {}, first);
    const { page, context } = visit;
    const note = page.getByLabel('Note');
    await write(page, note, 'of the first');
    await signIn(context, stage().bed.url, second.token);
    const send = page.getByRole('button', { name: 'Save outcome' });
    await press(page, send);
    const dialog = page.getByRole('dialog', { name: 'This page belongs to another account' });
    await dialog.getByText(first.email).waitFor();
    await press(page, dialog.getByRole('button', { name: 'Cancel' }));
    await page.locator('form').getByRole('alert').getByText('Nothing was changed').waitFor();
    expect(await note.inputValue()).toBe('of the first');
    await expectSound(visit);
    expect((await stage().market.lead(id)).sales[0]?.outcome).toBeUndefined();
    await signIn(context, stage().bed.url, first.token);
    await press(page, send);
    await page.getByText('The outcome was saved.').waitFor();
  });

  it('keeps the page and what was typed while the service is down', async () => {
    const id = await stage().sell();
    const visit = await stage().come(`/leads/${id}`);
    const { page } = visit;
    const note = page.getByLabel('Note');
    await write(page, note, 'long to type');
    const send = page.getByRole('button', { name: 'Save outcome' });
    const refusals = [
      { status: 503, json: { error: 'unavailable', message: 'It is down.', request_id: 'req_1' } },
      { status: 500, json: { error: 'internal', message: 'It has failed.', request_id: 'req_2' } },
    ];
    for (const refusal of refusals) {
      await page.route('**/portal/api/**', (route) => route.fulfill(refusal));
      await press(page, send);
      const summary = page.locator('form').getByRole('alert');
      await summary.getByText(refusal.json.message).waitFor();
      await summary.getByText(refusal.json.request_id).waitFor();
      await page.getByText(refusal.json.message).nth(1).waitFor();
      expect(await note.inputValue()).toBe('long to type');
      await page.unroute('**/portal/api/**');
    }
    await press(page, send);
    await page.getByText('The outcome was saved.').waitFor();
  });

  it('shows another buyer’s lead like an unknown one', async () => {
    const visit = await stage().come('/leads/2d3f9a60-7a3d-4a53-9a51-0f2b6c9e7d10');
    await visit.page.getByRole('alert').waitFor();
    await expectSound(visit);
  });
});
