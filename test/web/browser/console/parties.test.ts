/** Buyers and suppliers: found, paused, tried out, and a wrong response rule mended by a pasted answer. */
import { expect, it } from '@jest/globals';
import { expectSound, expectSoundInEveryLook, screenshot } from '../../../support/browser.js';
import { choose, press, tabTo, write } from '../../../support/keyboard.js';
import { aLead } from '../../../support/storedRows.js';
import { waitFor } from '../../../support/waitFor.js';
import { onStage } from './stage.js';

const WRONG = { accept_when: { path: 'status', equals: 'ok' } };
const ANSWER = '{"result":"OK","lead":{"ref":"A-1","price":12.5}}';

onStage('buyers and suppliers, by keyboard', (stage) => {
  const buyerId = (name: 'North' | 'South') => stage().market.account.buyers[name] ?? '';
  const buyer = (name: 'North' | 'South') =>
    stage().bed.collections.buyers.findOne({ _id: buyerId(name) });

  it('are found by a part of the name, in any case, which the address keeps', async () => {
    const visit = await stage().come(await stage().member(), '/buyers');
    const { page } = visit;
    await page.getByRole('link', { name: 'North' }).waitFor();
    await write(page, page.getByLabel('Search buyers by name'), 'OUT');
    await page.getByRole('link', { name: 'North' }).waitFor({ state: 'detached' });
    await waitFor(() => Promise.resolve(page.url().endsWith('search=OUT')));
    await page.reload();
    await page.getByRole('link', { name: 'South' }).waitFor();
    expect(await page.getByRole('link', { name: 'North' }).count()).toBe(0);
    await expectSound(visit);
  });

  it('are paused, and resumed by the message that says so', async () => {
    const visit = await stage().come(await stage().member(), `/buyers/${buyerId('South')}`);
    const { page } = visit;
    await press(page, page.getByRole('button', { name: 'Pause' }));
    await page.getByText('South gets no new leads.').waitFor();
    expect((await buyer('South'))?.status).toBe('paused');
    await page.getByText('Paused: this buyer gets no new leads').waitFor();
    await press(page, page.getByRole('button', { name: 'Undo' }));
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    expect((await buyer('South'))?.status).toBe('active');
    await expectSound(visit);
  });

  it('are made by name, with secrets that no Escape discards, and archived and brought back', async () => {
    const visit = await stage().come(await stage().member(), '/buyers');
    const { page } = visit;
    await press(page, page.getByRole('button', { name: 'New buyer' }));
    await write(page, page.getByRole('dialog').getByLabel('Name'), 'West <b>');
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Postback secret' }).waitFor();
    await page.keyboard.press('Escape');
    await press(page, page.getByRole('button', { name: 'I have copied it' }));
    await page.getByRole('heading', { level: 1, name: 'West <b>' }).waitFor();
    await press(page, page.getByRole('button', { name: 'Archive this buyer' }));
    await press(page, page.getByRole('dialog').getByRole('button', { name: 'Archive' }));
    await press(page, page.getByRole('button', { name: 'Bring back' }));
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    const west = await stage().bed.collections.buyers.findOne({ name: 'West <b>' });
    expect([west?.status, west?.archived_at]).toEqual(['active', null]);
    await expectSound(visit);
  });

  it('show what would be sent, without sending it', async () => {
    const visit = await stage().come(
      await stage().member(),
      `/buyers/${buyerId('South')}/delivery`,
    );
    const { page } = visit;
    await press(page, page.getByRole('button', { name: 'Show the request' }));
    const body = await page.getByRole('region', { name: 'Body' }).innerText();
    expect(JSON.parse(body)).toMatchObject({ is_test: false });
    expect(stage().market.sentTo('South')).toEqual([]);
    await expectSound(visit);
  });

  it('have a wrong response rule mended by a pasted answer', async () => {
    const { collections } = stage().bed;
    await collections.buyers.updateOne(
      { _id: buyerId('South') },
      { $set: { 'delivery.response': WRONG } },
    );
    const visit = await stage().come(
      await stage().member(),
      `/buyers/${buyerId('South')}/delivery`,
    );
    const { page } = visit;
    await write(page, page.getByLabel('Body of the answer'), ANSWER);
    await press(page, page.getByRole('button', { name: 'Read the answer' }));
    await page.getByText('The acceptance rule does not hold').waitFor();
    const row = page.getByRole('group', { name: 'Accepted when, condition 1' });
    await write(page, row.getByLabel('Path'), 'result');
    await press(page, page.getByRole('button', { name: 'Use lead.ref' }));
    await page.getByRole('menuitem', { name: 'It is the reference' }).waitFor();
    for (const key of ['ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
    expect(await page.getByLabel('Path to the reference').inputValue()).toBe('lead.ref');
    await press(page, page.getByRole('button', { name: 'Read the answer' }));
    await page.getByText('The acceptance rule holds').waitFor();
    await page.getByRole('definition').filter({ hasText: 'A-1' }).waitFor();
    await expectSound(visit);
    await screenshot(visit, 'org-buyer-rules', { width: 1280 });
    await press(page, page.getByRole('button', { name: 'Save the rules' }));
    await page.getByText('The response rules were saved.').waitFor();
    expect((await buyer('South'))?.delivery).toMatchObject({
      response: { accept_when: { path: 'result', equals: 'ok' }, reference_path: 'lead.ref' },
    });
  });

  it('keep what another person has saved meanwhile, until one chooses', async () => {
    const path = `/buyers/${buyerId('North')}/delivery`;
    const visit = await stage().come(await stage().member(), path);
    const { page } = visit;
    await write(page, page.getByLabel('Path to the reference'), 'mine');
    const theirs = { accept_when: { path: 'theirs', equals: 'ok' } };
    await stage().bed.collections.buyers.updateOne(
      { _id: buyerId('North') },
      { $set: { 'delivery.response': theirs } },
    );
    await press(page, page.getByRole('button', { name: 'Save the rules' }));
    await page.getByText('Somebody else has changed these rules since you began').waitFor();
    expect((await buyer('North'))?.delivery).toMatchObject({ response: theirs });
    expect(await page.getByLabel('Path to the reference').inputValue()).toBe('mine');
    await expectSound(visit);
    await press(page, page.getByRole('button', { name: 'Save mine instead' }));
    await page.getByText('The response rules were saved.').waitFor();
    expect((await buyer('North'))?.delivery).toMatchObject({
      response: { reference_path: 'mine' },
    });
  });

  it('get new secrets, which are not closed by one Escape', async () => {
    const visit = await stage().come(await stage().member(), `/buyers/${buyerId('South')}/secrets`);
    const { page } = visit;
    await press(page, page.getByRole('button', { name: 'Rotate the signing secret' }));
    await press(page, page.getByRole('dialog').getByRole('button', { name: 'Rotate' }));
    await page.getByText('Copy it now').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('Close without copying it?').waitFor();
    await press(page, page.getByRole('button', { name: 'Keep it open' }));
    await press(page, page.getByRole('button', { name: 'I have copied it' }));
    await page.getByText('Also valid until').waitFor();
    await expectSound(visit);
  });

  it('are reconciled with what they say, for the days that one chooses', async () => {
    const { bed, market, orgId } = stage();
    const { campaignId: campaign_id, suppliers } = market.account;
    const buyer_id = buyerId('North');
    const of = { org_id: orgId, campaign_id, supplier_id: suppliers[0]!.id, changes: 1 };
    const sale = { buyer_id, attempt: 1, price: 20e6, cost: 8e6, at: new Date() };
    const lead = aLead({
      ...of,
      created_at: new Date(),
      uncounted: true,
      status: 'ACCEPTED',
      buyer_id,
      sales: [sale],
    });
    await bed.collections.leads.insertOne(lead);
    const visit = await stage().come(await stage().member(), `/buyers/${buyer_id}/reconcile`);
    const { page } = visit;
    const row = page.getByRole('row', { name: /^Campaign/ }).last();
    await row.getByText('$20.00').waitFor();
    await expectSoundInEveryLook(visit, 'buyer-reconcile');
    await press(page, page.getByRole('button', { name: 'Days: Last 30 days' }));
    await page.getByRole('button', { name: 'Yesterday' }).click();
    await page.getByText('Nothing was sent on these days').waitFor();
    expect(new URL(page.url()).searchParams.get('days')).toBe('yesterday');
  });

  it('get a returns policy', async () => {
    const path = `/buyers/${buyerId('South')}/returns`;
    const visit = await stage().come(await stage().member(), path);
    const { page } = visit;
    await write(page, page.getByLabel('Days after the sale'), '14');
    await press(page, page.getByRole('button', { name: 'Save' }));
    await page.getByText('The returns policy was saved.').waitFor();
    expect((await buyer('South'))?.returns).toMatchObject({ allowed: true, max_age_days: 14 });
    await expectSound(visit);
  });

  it('let in a person by an invitation that opens the portal, is sent again, and a new password', async () => {
    const path = `/buyers/${buyerId('South')}/portal`;
    const visit = await stage().come(await stage().member(), path);
    const { page } = visit;
    await page.getByText('Inviting a person opens it.').waitFor();
    await press(page, page.getByRole('button', { name: 'Invite a person' }));
    await write(page, page.getByLabel('Email'), 'sue@example.com');
    await page.keyboard.press('Enter');
    await press(page, page.getByRole('button', { name: 'Done' }));
    await page.getByText('The portal is open').waitFor();
    await press(
      page,
      page.getByRole('button', { name: 'Resend the invitation to sue@example.com' }),
    );
    await page.getByText('replaces the earlier one').waitFor();
    await press(page, page.getByRole('button', { name: 'Done' }));
    const { bed, orgId } = stage();
    const scope = { kind: 'buyer', buyer_id: buyerId('South') } as const;
    const { email } = await stage().member({ org_id: orgId, scope, name: 'Bo Buyer' });
    await page.reload();
    await press(page, page.getByRole('button', { name: `Reset password of ${email}` }));
    const dialog = page.getByRole('dialog');
    await press(page, dialog.getByRole('button', { name: 'Reset password' }));
    await page.getByText('Link for a new password').waitFor();
    expect(await bed.collections.accessLinks.countDocuments({ only_org: orgId })).toBe(1);
    await press(page, page.getByRole('button', { name: 'Done' }));
    await expectSound(visit);
  });

  it('limit the fields that partners see by boxes, and go back to the default', async () => {
    const path = `/buyers/${buyerId('North')}/portal`;
    const { page } = await stage().come(await stage().member(), path);
    const fields = page.getByLabel('Fields shown').first();
    await choose(page, fields, 'Only those marked');
    await tabTo(page, page.getByLabel('phone', { exact: true }));
    await page.keyboard.press('Space');
    await press(page, page.getByRole('button', { name: 'Save' }));
    await page.getByText('The settings were saved.').waitFor();
    const settings = () =>
      stage().bed.collections.portalSettings.findOne({ party_id: buyerId('North') });
    const stored = (await settings())?.rules?.fields ?? [];
    expect([stored.includes('email'), stored.includes('phone')]).toEqual([true, false]);
    await choose(page, fields, 'Use buyer default');
    await press(page, page.getByRole('button', { name: 'Save' }));
    await waitFor(async () => (await settings())?.rules?.fields === undefined);
  });
});
