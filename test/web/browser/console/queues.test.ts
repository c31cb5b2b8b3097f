/** What waits, and the returns of buyers, as operators work on them: by keyboard, and many at once. */
import { beforeAll, expect, it } from '@jest/globals';
import type { ActionName } from '../../../../src/api/actions/names.js';
import { buyerOf, postUntil } from '../../../distribution/commands/operatorFixture.js';
import { startReturnTestbed, type ReturnTestbed } from '../../../outcomes/returns/returnTestbed.js';
import {
  describeOnStage,
  expectSound,
  expectSoundInEveryLook,
  screenshot,
  type OpenVisit,
  type Visit,
} from '../../../support/browser.js';
import { goTo, press, write } from '../../../support/keyboard.js';
import { signInMember, type MemberSpec } from '../../../support/portal.js';
import { aLead, aRow } from '../../../support/storedRows.js';
import type { Market } from '../../../support/testbed.js';
import { waitFor } from '../../../support/waitFor.js';

/** Nothing becomes due by itself during a test. */
const AWAY = { status: 503, headers: { 'retry-after': '600' } };
const RTL = 'עברית‮ <b>x</b>';

interface Stage {
  bed: ReturnTestbed;
  market: Market;
  come(path: string, role?: MemberSpec['role'], width?: number): Promise<Visit>;
  done(name: ActionName, input: object): Promise<unknown>;
}

async function build(open: OpenVisit): Promise<Stage> {
  const bed = await startReturnTestbed();
  const market = await bed.market({ buyers: { North: {} } });
  return {
    bed,
    market,
    async come(path, role = 'operator', width = 360) {
      const who = await signInMember(bed.collections, {
        org_id: market.account.orgId,
        scope: { kind: 'organization' },
        name: 'Olga Operator',
        role,
      });
      const visit = await open({ url: bed.url, session: who.token, width });
      await visit.page.goto(`/org/${who.membership_id}${path}`);
      await visit.page.getByRole('heading', { level: 1 }).waitFor();
      return visit;
    },
    done: (name, input) => bed.done(market, name, input),
  };
}

describeOnStage('queues and returns', build, (stage) => {
  let unanswered: string;
  let waiting: string[];
  let returned: string[];
  const rowOf = async (lead: string) => (await stage().market.rows(lead))[0];
  const stateOf = async (lead: string) => (await rowOf(lead))?.state;
  const returnOf = (lead: string) => stage().bed.collections.returns.findOne({ lead_id: lead });

  beforeAll(async () => {
    const { bed, market } = stage();
    returned = [];
    for (let n = 0; n < 6; n++) returned.push(await bed.sold(market));
    const buyer_id = buyerOf(market, 'North');
    await bed.done(market, 'set_buyer_returns', { buyer_id, auto_accept_hours: 48, resell: true });
    const asked = { lead_ids: returned, reason: 'bad_contact_info', note: RTL };
    await bed.done(market, 'request_returns', asked);
    market.behave('North', () => 'reset');
    unanswered = await postUntil(market, 'unknown');
    market.behave('North', () => AWAY);
    waiting = [];
    for (let n = 0; n < 3; n++) waiting.push(await postUntil(market, 'parked'));
  });

  it('show who waits and why, in every look', async () => {
    const visit = await stage().come('/queues', 'operator', 1280);
    const { page } = visit;
    await page.getByText('Nothing waits').waitFor({ state: 'detached' });
    await page.getByRole('row', { name: /North/ }).first().waitFor();
    await expectSoundInEveryLook(visit, 'org-queues');
    await page
      .getByRole('row', { name: /Unanswered/ })
      .last()
      .click();
    await page.getByText('The buyer may have this lead').waitFor();
    await expectSound(visit);
    await screenshot(visit, 'org-queues-panel', { isWhole: false });
    expect(new URL(page.url()).searchParams.get('delivery')).toBe(`${unanswered}:1`);
  });

  it('show a viewer no command and no person', async () => {
    const { page, troubles } = await stage().come('/queues', 'viewer', 1280);
    await page.getByRole('row', { name: /North/ }).first().waitFor();
    for (const name of ['Resend all', 'Resend', 'Drop', 'Select all'])
      expect(await page.getByRole('button', { name }).count()).toBe(0);
    await page.goto(page.url().replace('/queues', '/returns'));
    await page
      .getByRole('row', { name: /Bad contact info/ })
      .first()
      .waitFor();
    expect(await page.getByRole('button', { name: /Accept|Reject/ }).count()).toBe(0);
    expect(await page.locator('main').innerText()).not.toContain('עברית');
    expect(troubles()).toEqual([]);
  });

  it('drop what is selected, and tell what was sent meanwhile', async () => {
    const { market } = stage();
    const [first = '', second = ''] = waiting;
    const visit = await stage().come('/queues?state=waiting', 'operator', 1280);
    const { page } = visit;
    for (const lead of [first, second]) {
      const box = page.locator(`tr[data-key="${lead}:1"] input[type=checkbox]`);
      await press(page, box, 'Space');
    }
    await press(page, page.getByRole('region', { name: 'Selected rows' }).getByText('Drop'));
    const dialog = page.getByRole('dialog');
    await dialog.getByText('2 deliveries will end without a sale').waitFor();
    market.behave('North', () => ({ status: 200 }));
    await stage().done('retry_deliveries', { lead_id: first });
    await waitFor(async () => (await stateOf(first)) === 'accepted', { message: 'it is sold' });
    market.behave('North', () => AWAY);
    await write(page, dialog.getByLabel('Note'), 'Too old');
    await press(page, dialog.getByRole('button', { name: 'Drop 2' }));
    await dialog.getByText('1 delivery dropped.').waitFor();
    await dialog.getByText('1 no longer wait').waitFor();
    await expectSound(visit);
    await press(page, dialog.getByRole('button', { name: 'Done' }));
    expect(await stateOf(second)).toBe('expired');
    const trail = (await market.lead(second)).trail;
    expect(JSON.stringify(trail)).toContain('Too old');
  });

  it('settle a delivery that was never answered as the buyer says', async () => {
    const { market } = stage();
    const { page } = await stage().come('/queues?state=unknown');
    await page.locator(`tr[data-key="${unanswered}:1"]`).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    const panel = page.getByRole('complementary', { name: 'Delivery' });
    await press(page, panel.getByRole('button', { name: 'Mark accepted' }));
    const dialog = page.getByRole('dialog');
    await press(page, dialog.getByRole('button', { name: 'Mark accepted 1' }));
    await dialog.getByText('1 delivery recorded as sold.').waitFor();
    await press(page, dialog.getByRole('button', { name: 'Done' }));
    // On a phone the panel covers the list.
    await press(page, panel.getByRole('button', { name: 'Close panel' }));
    await page.getByText('No unanswered delivery').waitFor();
    expect(await market.lead(unanswered)).toMatchObject({ status: 'ACCEPTED' });
  });

  it('resend what an outage left, in two steps', async () => {
    const { market } = stage();
    const [, , third = ''] = waiting;
    const { page } = await stage().come('/queues');
    market.behave('North', () => ({ status: 200 }));
    await press(page, page.getByRole('button', { name: 'Resend all for North' }));
    const dialog = page.getByRole('dialog');
    await dialog.getByText('1 delivery will be sent now.').waitFor();
    await press(page, dialog.getByRole('button', { name: 'Resend 1' }));
    await page.getByText('1 delivery sent again.').waitFor();
    await waitFor(async () => (await stateOf(third)) === 'accepted', { message: 'it is sold' });
  });

  it('count all that match, beyond a page and a call', async () => {
    const { bed, market } = stage();
    const { orgId: org_id, campaignId: campaign_id } = market.account;
    const far = new Date(Date.now() + 86_400_000);
    const leads = Array.from({ length: 1_040 }, () => aLead({ org_id, status: 'PENDING' }));
    await bed.collections.leads.insertMany(leads);
    await bed.collections.deliveries.insertMany(
      leads.map(({ _id: lead_id }) =>
        aRow({
          lead_id,
          org_id,
          campaign_id,
          buyer_id: 'of-no-drain',
          state: 'parked',
          due_at: far,
          expires_at: far,
        }),
      ),
    );
    const { page } = await stage().come(`/queues?campaign_id=${campaign_id}`);
    const all = page.getByRole('group', { name: 'All that match the filter' });
    await press(page, all.getByRole('button', { name: 'Hold' }));
    const dialog = page.getByRole('dialog');
    await dialog.getByText('1,040 deliveries will wait').waitFor();
    await press(page, dialog.getByRole('button', { name: 'Cancel' }));
    const rows = { buyer_id: 'of-no-drain' };
    expect(await bed.collections.deliveries.countDocuments({ ...rows, held: true })).toBe(0);
    await bed.collections.deliveries.deleteMany(rows);
  });

  it('are decided by keys, can be undone, and are made when the screen is left', async () => {
    const { page } = await stage().come('/returns');
    const [fifth = '', sixth = ''] = [returned[4], returned[5]];
    await page
      .getByRole('row', { name: /Bad contact info/ })
      .first()
      .waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('a');
    const first = page.locator(`tr[data-key^="${sixth}"]`);
    await first.getByText('Accepting…').waitFor();
    await press(page, first.getByRole('button', { name: 'Undo' }));
    await first.getByRole('button', { name: /^Accept/ }).waitFor();
    await page.keyboard.press('r');
    await first.getByText('Rejecting…').waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('a');
    await page.getByText('Accepting…').waitFor();
    expect((await returnOf(sixth))?.state).toBe('requested');
    await goTo(page, 'Queues');
    await waitFor(async () => (await returnOf(sixth))?.state === 'rejected', {
      message: 'the first is rejected',
    });
    await waitFor(async () => (await returnOf(fifth))?.state === 'accepted', {
      message: 'the second is accepted',
    });
  });

  it('are decided many at once, with a note, beside one that somebody decided meanwhile', async () => {
    const { market } = stage();
    const visit = await stage().come('/returns', 'operator', 1280);
    const { page } = visit;
    await page
      .getByRole('row', { name: /Bad contact info/ })
      .first()
      .waitFor();
    await expectSoundInEveryLook(visit, 'org-returns');
    await press(page, page.getByRole('checkbox', { name: /all/i }), 'Space');
    const bar = page.getByRole('region', { name: 'Selected rows' });
    await press(page, bar.getByRole('button', { name: 'Accept' }));
    const dialog = page.getByRole('dialog');
    await dialog.getByText('4 returns will be accepted.').waitFor();
    await screenshot(visit, 'org-returns-dialog', { isWhole: false });
    const other = `${returned[0] ?? ''}:${buyerOf(market, 'North')}:1`;
    await stage().done('resolve_return', { return_id: other, result: 'reject' });
    await write(page, dialog.getByLabel('Note'), 'Checked by phone');
    await press(page, dialog.getByRole('button', { name: 'Accept 4' }));
    await dialog.getByText('3 returns accepted.').waitFor();
    await dialog.getByText('1 were decided otherwise meanwhile').waitFor();
    await press(page, dialog.getByRole('button', { name: 'Done' }));
    await page.getByText('Nothing to decide').waitFor();
    for (const lead of returned.slice(1, 4))
      expect(await returnOf(lead)).toMatchObject({
        state: 'accepted',
        resolution_note: 'Checked by phone',
      });
    await page.goto(`${page.url().split('?')[0] ?? ''}?state=all`);
    await page
      .getByRole('row', { name: /Olga Operator/ })
      .first()
      .waitFor();
  });
});
