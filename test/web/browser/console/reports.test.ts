/** The first screen and the reports: the figures, what needs someone, and the way to the leads behind them. */
import { beforeAll, expect, it } from '@jest/globals';
import { createOrg } from '../../../../src/account/orgs.js';
import type { Lead } from '../../../../src/leads/rules/lead.js';
import { expectSound, expectSoundInEveryLook, type Visit } from '../../../support/browser.js';
import { press, tabTo } from '../../../support/keyboard.js';
import type { SignedInMember } from '../../../support/portal.js';
import { TEST_ZONE } from '../../../support/org.js';
import { aLead, aRow } from '../../../support/storedRows.js';
import { onStage, type Stage } from './stage.js';

const HOUR = 3_600_000;
const hoursAgo = (hours: number): Date => new Date(Date.now() - hours * HOUR);
const WEEK = 7 * 24;

/** Leads of now and of a week ago, and one of everything that needs someone. */
async function trade({ bed, market, orgId: org_id }: Stage): Promise<void> {
  const { campaignId: campaign_id, suppliers, buyers } = market.account;
  const supplier_id = suppliers[0]?.id ?? '';
  const buyer_id = buyers.North ?? '';
  const place = { org_id, campaign_id, supplier_id };
  const lead = (hours: number, status: Lead['status'], more: Partial<Lead> = {}): Lead =>
    aLead({
      ...place,
      status,
      created_at: hoursAgo(hours),
      fields: { state: 'CA' },
      changes: 1,
      uncounted: true,
      ...more,
    });
  const sold = (hours: number): Lead =>
    lead(hours, 'ACCEPTED', {
      buyer_id,
      sales: [{ buyer_id, attempt: 1, price: 20_000_000, cost: 5_000_000, at: hoursAgo(hours) }],
    });
  const { leads, deliveries, destinations, returns } = bed.collections;
  await leads.insertMany([
    ...[0, 0, 0, 24, 30, 48, 50, 72].map(sold),
    lead(0, 'UNMATCHED'),
    lead(26, 'REJECTED'),
    lead(WEEK, 'DUPLICATE'),
    sold(WEEK + 0.01),
    // Of a supplier that has stopped sending.
    ...Array.from({ length: 12 }, (_, n) => lead(50 + n, 'UNMATCHED', { supplier_id: 'silent' })),
  ]);
  const waiting = (state: 'parked' | 'unknown') =>
    aRow({ ...place, buyer_id, state, created_at: hoursAgo(3), due_at: hoursAgo(-1) });
  await deliveries.insertMany([waiting('parked'), waiting('parked'), waiting('unknown')]);
  await destinations.insertOne({
    _id: buyer_id,
    org_id,
    awake: false,
    awake_at: hoursAgo(-2),
    failures: 7,
    pauses: 2,
    paused_at: hoursAgo(4),
    open_until: hoursAgo(-1),
    retry_at: null,
  });
  await returns.insertOne({
    _id: 'r1',
    org_id,
    lead_id: 'l',
    buyer_id,
    campaign_id,
    reason: 'other',
    note: null,
    state: 'requested',
    lead_day: '2026-11-20',
    created_at: hoursAgo(1),
    requested_by: { kind: 'user' },
  });
}

onStage('Today and Reports', (stage) => {
  let admin: SignedInMember;
  beforeAll(async () => {
    admin = await stage().member();
    await trade(stage());
  });
  const come = async (path: string): Promise<Visit> => stage().come(admin, path);
  const plot = ({ page }: Visit): Promise<void> => page.locator('.plot canvas').first().waitFor();

  it('begin with the first steps of an account without leads', async () => {
    const { _id: org_id } = await createOrg(stage().bed.collections, {
      name: 'Beginners',
      time_zone: TEST_ZONE,
    });
    const visit = await stage().come(await stage().member({ org_id }), '');
    await visit.page.getByRole('heading', { name: 'First steps' }).waitFor();
    await visit.page.getByText('0 of 3 steps are done.').waitFor();
    await visit.page.getByText('Nothing needs you').waitFor();
    await expectSound(visit);
  });

  it('say how the day goes and what needs someone, in every look', async () => {
    const visit = await come('');
    const { page } = visit;
    await plot(visit);
    const tile = page.locator('.tile').filter({ hasText: 'Revenue' });
    expect(await tile.innerText()).toContain('+$60.00 (nothing last week)');
    const attention = page.locator('.attention');
    for (const text of [
      '1 delivery was never answered',
      '2 deliveries wait to be sent',
      'North gets no leads: its breaker is open',
      'has stopped sending',
      '1 return waits for a decision',
    ])
      await attention.getByText(text).waitFor();
    await expectSoundInEveryLook(visit, 'console-today');
  });

  it('lead from what needs someone to the rows behind it, by keyboard', async () => {
    const { page } = await come('');
    await press(page, page.getByRole('link', { name: /never answered/ }));
    await page.waitForURL(/\/queues\?state=unknown$/);
    await page.goBack();
    await page.getByRole('heading', { name: 'Needs attention' }).waitFor();
    const show = page.getByRole('button', { name: 'Revenue' });
    await press(page, show);
    await page.waitForURL(/show=revenue/);
    expect(await show.getAttribute('aria-pressed')).toBe('true');
  });

  it('show a chart and a table of one query, in every look', async () => {
    const visit = await come('/reports?days=7d&then=status&compare=last_week');
    await plot(visit);
    await visit.page.getByRole('cell', { name: 'Rejected' }).first().waitFor();
    await expectSoundInEveryLook(visit, 'console-reports');
  });

  it('keep what is asked in the address, and go back', async () => {
    const visit = await come('/reports?days=7d');
    const { page, troubles } = visit;
    await page.getByLabel('Then by').selectOption('supplier');
    await page.waitForURL(/then=supplier/);
    await page.locator('main').getByText('Supplier 1').first().waitFor();
    await page.getByRole('button', { name: 'Margin' }).click();
    await page.waitForURL(/measure=margin_pct/);
    await page.goBack();
    await page.goBack();
    await page.waitForURL(/\/reports\?days=7d$/);
    expect(await page.getByLabel('Then by').inputValue()).toBe('');
    expect(troubles()).toEqual([]);
  });

  it('narrow to a part of the chart, and lead from a line to its leads', async () => {
    const visit = await come('/reports?days=7d');
    const { page } = visit;
    await plot(visit);
    await tabTo(page, page.getByRole('slider', { name: /^Leads by day/ }));
    await page.keyboard.press('End');
    await page.keyboard.press('Shift+ArrowLeft');
    await page.keyboard.press('Enter');
    await page.waitForURL(/days=\d{4}-\d\d-\d\d\.\.\d{4}-\d\d-\d\d/);
    await page.goto(`/org/${admin.membership_id}/reports?days=7d&by=campaign`);
    const line = page.getByRole('link', { name: 'Campaign', exact: true });
    await press(page, line.first());
    await page.waitForURL(/\/leads\?days=7d&campaign_id=/);
  });

  it('show a week by its hours, and say what is in one', async () => {
    const visit = await come('/reports?days=7d&by=weekday&then=hour');
    const { page } = visit;
    const grid = page.getByRole('grid', { name: 'Leads by weekday and hour' });
    await grid.waitFor();
    expect(await grid.getByRole('gridcell', { name: /: \d+ leads$/ }).count()).toBeGreaterThan(0);
    await expectSoundInEveryLook(visit, 'console-hours');
  });

  it('are a file of every line', async () => {
    const { page } = await come('/reports?days=7d&by=status');
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download CSV' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe('get_lead_breakdown.csv');
  });
});
