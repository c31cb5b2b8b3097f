/** The palette, the keys, and the screens of the organization itself: keys, the record of changes, the system. */
import { expect, it } from '@jest/globals';
import { expectSound, expectSoundInEveryLook, screenshot } from '../../../support/browser.js';
import { chooseItem, hasFocus, press, write } from '../../../support/keyboard.js';
import { waitFor } from '../../../support/waitFor.js';
import { onStage } from './stage.js';

onStage('finding one’s way by keyboard', (stage) => {
  it('opens a screen by a few letters in the palette', async () => {
    const visit = await stage().come(await stage().member(), '/members');
    const { page } = visit;
    await page.keyboard.press('Control+k');
    const field = page.getByRole('combobox', { name: /Find a lead, a record or a screen/ });
    await field.waitFor();
    expect(await hasFocus(field)).toBe(true);
    await expectSound(visit);
    await screenshot(visit, 'palette', { width: 1280, isWhole: false });
    await page.keyboard.type('audi');
    const option = page.getByRole('option', { name: /^Audit/ });
    await option.waitFor();
    expect(await option.getAttribute('aria-selected')).toBe('true');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Audit', level: 1 }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('finds records, and pauses a buyer, which can be taken back', async () => {
    const { page } = await stage().come(await stage().member(), '/members');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: /Find a lead/ }).waitFor();
    await page.keyboard.type('pause a b');
    await page.getByRole('option', { name: 'Pause a buyer…' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('combobox', { name: 'Which buyer shall be paused?' }).waitFor();
    await page.keyboard.type('South');
    await page.getByRole('option', { name: /^South/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('South is paused.').waitFor();
    const buyerOf = () => stage().bed.collections.buyers.findOne({ name: 'South' });
    expect((await buyerOf())?.status).toBe('paused');
    await press(page, page.getByRole('button', { name: 'Undo' }));
    await waitFor(async () => (await buyerOf())?.status === 'active', {
      message: 'the buyer is active again',
    });
  });

  it('has keys, which wait while something is typed, and can be turned off', async () => {
    const visit = await stage().come(await stage().member(), '/members');
    const { page } = visit;
    await page.keyboard.press('?');
    const sheet = page.getByRole('dialog', { name: 'Keys' });
    await sheet.waitFor();
    await expectSound(visit);
    await screenshot(visit, 'keys-sheet', { width: 1280, isWhole: false });
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'hidden' });
    await page.keyboard.press('g');
    await page.keyboard.press('y');
    await page.getByRole('heading', { name: 'System', level: 1 }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('m');
    await page.getByRole('heading', { name: 'Members', level: 1 }).waitFor();
    await press(page, page.getByRole('button', { name: 'Invite a person' }));
    await write(page, page.getByLabel('Email'), 'gy?');
    expect(await page.getByLabel('Email').inputValue()).toBe('gy?');
    await page.keyboard.press('Escape');
    await page.keyboard.press('?');
    await press(page, page.getByRole('checkbox', { name: /Single keys are on/ }), ' ');
    await page.keyboard.press('Escape');
    await page.keyboard.press('g');
    await page.keyboard.press('y');
    await page.keyboard.press('?');
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Members');
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('shows how a screen is asked for elsewhere', async () => {
    const visit = await stage().come(await stage().member(), '/audit?of=reads');
    const { page } = visit;
    await press(page, page.getByRole('button', { name: 'How', exact: true }));
    const command = page.getByRole('region', { name: 'As a command' });
    await command.waitFor();
    expect(await command.innerText()).toBe('leadwire audit list --of reads --limit 50');
    await expectSound(visit);
  });
});

onStage('keys, the record of changes and the system', (stage) => {
  it('a key is made with permissions, shown once, and not lost by Escape', async () => {
    const visit = await stage().come(await stage().member(), '/keys');
    const { page } = visit;
    await press(page, page.getByRole('button', { name: 'Create a key' }).first());
    await write(page, page.getByLabel('Name'), 'Reporting of Ada');
    await page.getByRole('checkbox', { name: 'read Reports' }).check();
    await expectSound(visit);
    await screenshot(visit, 'key-form', { width: 1280, isWhole: false });
    await press(page, page.getByRole('button', { name: 'Create the key' }));
    const shown = page.getByRole('region', { name: 'New key' });
    await shown.waitFor();
    const copy = page.getByRole('button', { name: 'Copy the key' });
    await waitFor(() => hasFocus(copy), { message: 'Copy has the focus' });
    expect(await shown.innerText()).toMatch(/^lw_live_/);
    await page.keyboard.press('Escape');
    await page.getByText('Close without copying it?').waitFor();
    await expectSound(visit);
    expect(await page.getByRole('button', { name: 'I have copied it' }).count()).toBe(0);
    await press(page, page.getByRole('button', { name: 'Close without copying' }));
    const row = page.getByRole('row', { name: /Reporting of Ada/ });
    expect(await row.innerText()).toMatch(/Reports: read[\s\S]*Never/);
    await expectSoundInEveryLook(visit, 'keys');
    await press(page, row.getByRole('button', { name: /Actions for Reporting of Ada/ }));
    await chooseItem(page, 'Revoke…');
    await press(page, page.getByRole('dialog').getByRole('button', { name: 'Revoke' }));
    await row.getByText('Revoked').waitFor();
  });

  it('an entry shows what a setting was before, and links to its record', async () => {
    const { orgId, market, bed } = stage();
    const buyer_id = market.account.buyers.North ?? '';
    const at = (minutes: number) => new Date(Date.now() - minutes * 60_000);
    const entry = (_id: string, price: number, minutes: number) => ({
      _id,
      org_id: orgId,
      at: at(minutes),
      person: { id: 'per_1', name: 'Ada' },
      action: 'update_campaign_buyer',
      input: { campaign_id: 'c-1', buyer_id, price },
      records: [buyer_id],
      outcome: 'done' as const,
    });
    await bed.collections.audit.insertMany([entry('e-1', 27, 9), entry('e-2', 31.5, 3)]);
    const visit = await stage().come(
      await stage().member(),
      `/audit?record_id=${buyer_id}&entry=e-2`,
    );
    const { page } = visit;
    const row = page.getByRole('row', { name: /^price/ });
    await row.getByText('27').waitFor();
    expect(await row.innerText()).toMatch(/27[\s\S]*31\.5/);
    const link = page.getByRole('link', { name: /^Buyer/ }).first();
    expect(await link.getAttribute('href')).toMatch(new RegExp(`/buyers/${buyer_id}$`));
    await expectSound(visit);
    await screenshot(visit, 'audit', { width: 1280 });
  });

  it('the system shows what answers, in which version, and events that no automation accepted', async () => {
    const { orgId: org_id, bed } = stage();
    const at = new Date();
    await bed.collections.eventDeliveries.insertOne({
      _id: 'automation-1:evt_1',
      org_id,
      automation_id: 'automation-1',
      event_id: 'evt_1',
      type: 'lead.accepted',
      lead_id: null,
      ord: 0,
      state: 'parked',
      attempts: 9,
      due_at: at,
      give_up_at: at,
      created_at: at,
      reason: 'answered 503',
    });
    const visit = await stage().come(await stage().member(), '/');
    const { page } = visit;
    await press(page, page.getByRole('link', { name: /1 event was not accepted/ }));
    await page.getByRole('row', { name: /MongoDB/ }).waitFor();
    const dead = page.getByRole('row', { name: /lead\.accepted/ });
    expect(await dead.innerText()).toMatch(/answered 503/);
    const isInSight = async () =>
      ((await dead.boundingBox())?.y ?? Infinity) < (page.viewportSize()?.height ?? 0);
    await waitFor(isInSight, { message: 'the dead letter is in sight' });
    await dead.getByRole('button', { name: 'Resend lead.accepted' }).waitFor();
    await expectSoundInEveryLook(visit, 'system');
    expect(await page.getByRole('row', { name: /Workers/ }).innerText()).toMatch(/Answers|Away/);
  });

  it('the account gets another name, and another time zone after its effects are shown', async () => {
    const visit = await stage().come(await stage().member(), '/settings');
    const { page } = visit;
    await write(page, page.getByLabel('Name', { exact: true }), 'Ada & Söhne');
    await page.getByLabel('Time zone').selectOption('America/Denver');
    await press(page, page.getByRole('button', { name: 'Save', exact: true }).first());
    const dialog = page.getByRole('dialog', { name: 'Move to America/Denver?' });
    await dialog.getByText('Caps', { exact: true }).waitFor();
    await expectSound(visit);
    await screenshot(visit, 'time-zone-effects', { width: 1280, isWhole: false });
    await press(page, dialog.getByRole('button', { name: 'Move the time zone' }));
    await page.getByText('The account is saved.').waitFor();
    const org = await stage().bed.collections.orgs.findOne({ _id: stage().orgId });
    expect(org).toMatchObject({ name: 'Ada & Söhne', time_zone: 'America/Denver' });
    await page.reload();
    await page.getByText('Times are in America/Denver time.').waitFor();
    await page.getByRole('heading', { name: 'Size and limits' }).waitFor();
    await expectSoundInEveryLook(visit, 'account-settings');
  });

  it('are absent for roles that may not see them, also by a copied link', async () => {
    const viewer = await stage().member({ role: 'viewer' });
    for (const path of ['/keys', '/audit', '/system', '/members']) {
      const { page } = await stage().come(viewer, path);
      expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Page not found');
    }
  });
});
