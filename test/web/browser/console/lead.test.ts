/** The page of a lead, as an operator and a viewer use it. */
import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { signInMember } from '../../../support/portal.js';
import { DOWN, NO } from '../../../support/fakeBuyer.js';
import { startTestbed, type Market, type Testbed } from '../../../support/testbed.js';
import {
  describeOnStage,
  expectSound,
  expectSoundInEveryLook,
  screenshot,
  type OpenVisit,
} from '../../../support/browser.js';
import { press, write } from '../../../support/keyboard.js';
import { waitFor } from '../../../support/waitFor.js';

interface Stage {
  bed: Testbed;
  market: Market;
  open: OpenVisit;
}

/** North is asked first, then South. */
async function build(open: OpenVisit): Promise<Stage> {
  const bed = await startTestbed();
  const market = await bed.market({
    supplier: { cost_per_lead: 4 },
    buyers: {
      North: { price: 42.5, conversion_price: 100 },
      South: { price: 20 },
    },
  });
  return { bed, market, open };
}

const onStage = (title: string, body: (stage: () => Stage) => void): void =>
  describeOnStage(title, build, body);

const PERSON = { first_name: 'Nour <b>', last_name: 'الهدى', wish: 'a blue roof' };

onStage('the page of a lead', (stage) => {
  const member = (role: 'operator' | 'viewer') => {
    const { bed, market } = stage();
    return signInMember(bed.collections, {
      org_id: market.account.orgId,
      scope: { kind: 'organization' },
      role,
    });
  };
  const come = async (
    leadId: string,
    role: 'operator' | 'viewer' = 'operator',
    look: object = {},
  ) => {
    const who = await member(role);
    const visit = await stage().open({ url: stage().bed.url, session: who.token, ...look });
    await visit.page.goto(`/org/${who.membership_id}/leads/${leadId}`);
    await visit.page.getByRole('heading', { level: 1 }).waitFor();
    return visit;
  };
  const tab = (page: Page, name: string) =>
    press(page, page.getByRole('navigation', { name: 'Parts' }).getByRole('link', { name }));
  /** Only North is asked, and answers so. */
  const postTo = async (answer: typeof NO | 'hang', more: object = {}): Promise<string> => {
    const { market } = stage();
    market.behave('North', () => answer);
    market.behave('South', () => NO);
    return (await market.post({ ...PERSON, ...more })).id;
  };

  it('says in one sentence where it went, and shows the request and the answer', async () => {
    const { market } = stage();
    market.behave('North', () => ({ status: 200, body: { ok: true, id: 'N-1' } }));
    const { id } = await market.post(PERSON);
    const visit = await come(id);
    const { page } = visit;
    await page.getByRole('heading', { level: 1 }).getByText('Nour <b> الهدى').waitFor();
    await page.getByText(/^Sold to .* for \$42\.50\.$/).waitFor();
    expect(
      await page.getByRole('link', { name: /^\(\d{3}\) \d{3}-\d{4}$/ }).getAttribute('href'),
    ).toMatch(/^tel:\+1/);
    await page
      .getByRole('list', { name: 'Its way' })
      .getByText(/It was sold to/)
      .waitFor();
    await expectSoundInEveryLook(visit);
    await screenshot(visit, 'lead-timeline', { width: 1440 });
    await tab(page, 'Attempts');
    await page
      .getByRole('region', { name: /^POST http/ })
      .getByText('a blue roof')
      .waitFor();
    await page
      .getByRole('region', { name: /^Answer/ })
      .getByText('N-1')
      .waitFor();
    expect(page.url()).toContain('?tab=attempts');
    await expectSound(visit);
    await tab(page, 'Data');
    await page.getByText('a blue roof').waitFor();
    await page.goBack();
    await page.getByRole('region', { name: 'Attempts' }).waitFor();
  });

  it('records an outcome, says the charge before, and takes it back', async () => {
    const { market } = stage();
    market.behave('North', () => ({ status: 200 }));
    const { id } = await market.post(PERSON);
    const visit = await come(id);
    const { page } = visit;
    await tab(page, 'Sales and returns');
    const converted = page.getByRole('radio', { name: 'Converted' });
    await page.getByRole('radio', { name: 'None' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    expect(await converted.isChecked()).toBe(true);
    await page.getByText('Charge: $42.50 → $100.00').waitFor();
    await write(page, page.getByLabel('Conversion revenue'), '120.5');
    await page.getByText('Charge: $42.50 → $120.50').waitFor();
    await expectSound(visit);
    await press(page, page.getByRole('button', { name: 'Save outcome' }));
    await page.getByText('Charge: $120.50, unchanged').waitFor();
    const saleOf = async () => (await stage().bed.collections.leads.findOne({ _id: id }))?.sales[0];
    expect(await saleOf()).toMatchObject({ outcome: 'converted', conversion_revenue: 120_500_000 });
    // What is stored is what the form shows, and an emptied value is taken back.
    await page.reload();
    expect(await converted.isChecked()).toBe(true);
    await press(page, page.getByRole('radio', { name: 'Converted' }), 'ArrowRight');
    await page.keyboard.press('ArrowRight');
    await write(page, page.getByLabel('Conversion revenue'), '');
    await page.getByText('Charge: $120.50 → $42.50').waitFor();
    await press(page, page.getByRole('button', { name: 'Save outcome' }));
    await page.getByText('Charge: $42.50, unchanged').waitFor();
    const sale = await saleOf();
    expect([sale?.outcome, sale?.conversion_revenue]).toEqual([undefined, undefined]);
  });

  it('requests a return and accepts it, and says what it costs before', async () => {
    const { market } = stage();
    market.behave('North', () => ({ status: 200 }));
    const { id } = await market.post(PERSON);
    const visit = await come(id);
    const { page } = visit;
    await tab(page, 'Sales and returns');
    await press(page, page.getByRole('button', { name: 'Request a return' }));
    await press(page, page.getByRole('button', { name: 'Request the return' }));
    await press(page, page.getByRole('button', { name: 'Accept the return' }));
    await page.getByText(/falls from \$42\.50 to \$0\.00/).waitFor();
    await expectSound(visit);
    const dialog = page.getByRole('dialog');
    await press(page, dialog.getByRole('button', { name: 'Accept the return' }));
    await page.getByRole('heading', { level: 1 }).getByText('Returned').waitFor();
  });

  it('names the cap that stopped it, leads to where it is raised, and decides it again', async () => {
    const { bed } = stage();
    const market = await bed.market({ buyers: { Full: { price: 20, daily_cap: 1 } } });
    await market.post();
    const { id } = await market.post();
    const { account } = market;
    const who = await signInMember(bed.collections, {
      org_id: account.orgId,
      scope: { kind: 'organization' },
      role: 'operator',
    });
    const visit = await stage().open({ url: bed.url, session: who.token });
    const { page } = visit;
    await page.goto(`/org/${who.membership_id}/leads/${id}`);
    await page
      .getByText(/^Not sold: .* was at its daily cap\. It is full until 00:00 E[SD]T\.$/)
      .waitFor();
    const raise = page.getByRole('link', { name: /^Raise the cap of/ });
    expect(await raise.getAttribute('href')).toBe(
      `/org/${who.membership_id}/campaigns/${account.campaignId}/buyers?buyer=${account.buyers.Full ?? ''}&focus=daily_cap`,
    );
    await press(page, page.getByRole('button', { name: 'Decide again' }));
    await page.getByText('The same would happen today.').waitFor();
    await page.getByText(/^Decided again by its own version, it goes the same way/).waitFor();
    await expectSoundInEveryLook(visit);
    await screenshot(visit, 'lead-not-sold', { width: 1440 });
  });

  it('resolves an attempt that was never answered, at 360 px', async () => {
    const { bed } = stage();
    const market = await bed.market({
      buyers: {
        Quiet: {
          price: 20,
          delivery: { timeout_ms: 1_000 },
          answer: () => 'hang',
        },
      },
    });
    const { id } = await market.post();
    await waitFor(
      async () =>
        (await bed.collections.deliveries.countDocuments({ lead_id: id, state: 'unknown' })) === 1,
      { message: 'it is unknown', timeoutMs: 10_000 },
    );
    const who = await signInMember(bed.collections, {
      org_id: market.account.orgId,
      scope: { kind: 'organization' },
      role: 'operator',
    });
    const visit = await stage().open({ url: bed.url, session: who.token, width: 360 });
    const { page } = visit;
    await page.goto(`/org/${who.membership_id}/leads/${id}`);
    await press(page, page.getByRole('button', { name: /^Record the answer of/ }));
    await page.getByRole('button', { name: 'It accepted the lead' }).waitFor();
    await expectSound(visit);
    await write(page, page.getByLabel('Note'), 'they called');
    await press(page, page.getByRole('button', { name: 'It accepted the lead' }));
    await page.getByText(/^Sold to .* for \$20\.00\.$/).waitFor();
  });

  it('sends a waiting delivery again', async () => {
    const { bed } = stage();
    const market = await bed.market({
      buyers: { Down: { price: 20, when_unavailable: 'WAIT', answer: () => DOWN } },
    });
    const { id } = await market.post();
    const who = await signInMember(bed.collections, {
      org_id: market.account.orgId,
      scope: { kind: 'organization' },
      role: 'operator',
    });
    const visit = await stage().open({ url: bed.url, session: who.token });
    const { page } = visit;
    await page.goto(`/org/${who.membership_id}/leads/${id}`);
    await page.getByText(/^Waits for /).waitFor();
    await press(page, page.getByRole('button', { name: /^Send to .* now$/ }));
    const send = page.getByRole('dialog').getByRole('button', { name: 'Send now' });
    await send.waitFor();
    market.behave('Down', () => ({ status: 200 }));
    await press(page, send);
    await waitFor(
      async () => (await bed.collections.leads.findOne({ _id: id }))?.status === 'ACCEPTED',
      { message: 'it is sold', timeoutMs: 10_000 },
    );
    await page.reload();
    await page.getByText(/^Sold to .* for \$20\.00\.$/).waitFor();
  });

  it('shows a viewer why, without a byte of the person', async () => {
    const id = await postTo(NO);
    const who = await member('viewer');
    const visit = await stage().open({ url: stage().bed.url, session: who.token });
    const { page } = visit;
    const bodies: Promise<string>[] = [];
    page.on('response', (response) => {
      if (response.url().includes('/console/api/')) bodies.push(response.text().catch(() => ''));
    });
    await page.goto(`/org/${who.membership_id}/leads/${id}`);
    await page.getByText('Not sold: both buyers refused it.').waitFor();
    await page.getByText('Your role does not see data of people.').waitFor();
    await page
      .getByRole('list', { name: 'Its way' })
      .getByText(/^Refused: /)
      .first()
      .waitFor();
    await tab(page, 'Attempts');
    await page.getByRole('region', { name: 'Attempts' }).getByText('Refused').first().waitFor();
    await press(page, page.getByRole('region', { name: 'Attempts' }).getByRole('button').first());
    await page.getByText(/^The request is not shown/).waitFor();
    await expectSound(visit);
    const all = (await Promise.all(bodies)).join('\n');
    expect(all).toContain('"headline"');
    for (const part of ['Nour', 'الهدى', 'blue roof', 'not wanted'])
      expect([part, all.includes(part)]).toEqual([part, false]);
    expect(await page.getByRole('button', { name: /Save|Send|Hold|Drop/ }).count()).toBe(0);
  });

  it('says that there is no such lead, also of another organization', async () => {
    const other = await (await stage().bed.market()).post();
    const { page } = await come(other.id);
    await page.getByRole('heading', { level: 1, name: 'No such lead' }).waitFor();
    await page.getByRole('link', { name: 'Leads' }).first().waitFor();
  });
});
