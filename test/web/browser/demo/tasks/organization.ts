/** Reports that say what went wrong, and the organization itself: its people, its keys, who did what. */
import { expect } from '@jest/globals';
import type { Lead } from '../../../../../src/leads/rules/lead.js';
import { signInMember } from '../../../../support/portal.js';
import { aLead } from '../../../../support/storedRows.js';
import {
  buttonIn,
  goTo,
  goToRecord,
  idOf,
  rowWith,
  twoBuyers,
  type Scene,
  type Task,
  type TaskStage,
} from './task.js';
import type { Market } from '../../../../support/testbed.js';

const DAY_MS = 86_400_000;

/** Leads that were decided so many days ago; those of each supplier in their order. */
async function putLeads(
  { bed }: TaskStage,
  market: Market,
  some: readonly { days: number; supplier?: number; lead: Partial<Lead>; count: number }[],
): Promise<void> {
  const { orgId: org_id, campaignId: campaign_id, suppliers } = market.account;
  const leads = some.flatMap(({ days, supplier = 0, lead, count }) =>
    Array.from({ length: count }, () =>
      aLead({
        org_id,
        campaign_id,
        supplier_id: suppliers[supplier]?.id,
        created_at: new Date(Date.now() - days * DAY_MS),
        changes: 1,
        uncounted: true,
        ...lead,
      }),
    ),
  );
  await bed.collections.leads.insertMany(leads);
}

const doubledDuplicates: Task = {
  title: 'finds the supplier whose duplicates doubled',
  async prepare(stage) {
    const market = await twoBuyers(stage, { suppliers: 2 });
    const lead = { status: 'DUPLICATE' } as const;
    await putLeads(stage, market, [
      { days: 9, count: 4, lead },
      { days: 2, count: 4, lead },
      { days: 9, supplier: 1, count: 3, lead },
      { days: 2, supplier: 1, count: 6, lead },
    ]);
    return {
      market,
      async run(scene) {
        const { hand, visit } = scene;
        const { page } = visit;
        await goTo(scene, 'Reports');
        await hand.press(buttonIn(page, /^Days/));
        await hand.press(buttonIn(page.getByRole('dialog'), 'Last 7 days'));
        await hand.choose(page.getByLabel('By', { exact: true }), 'Supplier');
        await page.waitForURL(/by=supplier/u);
        await hand.choose(page.getByLabel('Then by'), 'Status');
        await page.waitForURL(/then=status/u);
        await hand.choose(page.getByLabel('Compare with'), 'A week earlier');
        await page.waitForURL(/compare=last_week/u);
        const row = page.getByRole('row').filter({ hasText: /Supplier 2/ });
        await row.filter({ hasText: '+100' }).waitFor();
        expect(await row.first().innerText()).toMatch(/Duplicate[\s\S]*6[\s\S]*3[\s\S]*100/);
      },
    };
  },
};

const fallenAcceptance: Task = {
  title: "sees why a campaign's acceptance fell",
  isLookedAt: true,
  async prepare(stage) {
    const market = await twoBuyers(stage);
    const buyer_id = idOf(market, 'North');
    const sold = (days: number): Partial<Lead> => ({
      status: 'ACCEPTED',
      buyer_id,
      sales: [
        { buyer_id, attempt: 1, price: 2e7, cost: 0, at: new Date(Date.now() - days * DAY_MS) },
      ],
    });
    await putLeads(stage, market, [
      { days: 7, count: 9, lead: sold(7) },
      { days: 0, count: 3, lead: sold(0) },
    ]);
    await stage.bed.done(market, 'update_buyer', { buyer_id, status: 'paused' });
    await stage.bed.done(market, 'update_buyer', {
      buyer_id: idOf(market, 'South'),
      status: 'paused',
    });
    for (let n = 0; n < 3; n++) await market.post();
    return {
      market,
      async run(scene) {
        await goToRecord(scene, ['Campaigns', 'Campaign']);
        const { page } = scene.visit;
        await page.getByText(/^Acceptance is 50%, 50 points lower than a week earlier/).waitFor();
        await page
          .getByRole('listitem')
          .filter({ hasText: /paused/i })
          .first()
          .waitFor();
      },
    };
  },
};

const invite: Task = {
  title: 'invites a colleague',
  async prepare(stage) {
    const market = await twoBuyers(stage);
    const email = `colleague-${market.account.orgId}@example.com`;
    let link = '';
    return {
      market,
      async run({ hand, visit }: Scene) {
        const { page } = visit;
        await hand.press(buttonIn(page, 'New'));
        await hand.pick('Invitation');
        await hand.write(page.getByLabel('Email'), email);
        await hand.choose(page.getByRole('combobox', { name: 'Role' }), ROLE);
        await hand.press(buttonIn(page, 'Invite'));
        const shown = page.getByRole('region', { name: 'Invitation' });
        await shown.waitFor();
        link = await shown.innerText();
        await hand.press(buttonIn(page, 'Done'));
        await page.getByRole('row', { name: new RegExp(email) }).waitFor();
      },
      async check() {
        expect((await fetch(link)).status).toBe(200);
      },
    };
  },
};

const ROLE = 'Operator: full access, except settings';

const endSession: Task = {
  title: "ends a colleague's session",
  async prepare(stage) {
    const market = await twoBuyers(stage);
    const colleague = await signInMember(stage.bed.collections, {
      org_id: market.account.orgId,
      scope: { kind: 'organization' },
      name: 'Walter Watched',
      role: 'viewer',
    });
    return {
      market,
      async run(scene) {
        const { hand, visit } = scene;
        const { page } = visit;
        await goTo(scene, 'Members');
        await hand.press(buttonIn(page, 'Actions for Walter Watched'));
        await hand.pick('Sessions…');
        await hand.press(buttonIn(page, /^End the session of/));
        await page.getByText('No active sessions').waitFor();
      },
      async check() {
        const me = `${stage.bed.url}/console/api/${colleague.membership_id}/me`;
        const answer = await fetch(me, { headers: { cookie: colleague.cookie } });
        expect(answer.status).not.toBe(200);
      },
    };
  },
};

const makeKey: Task = {
  title: 'creates an API key and revokes it',
  async prepare(stage) {
    const market = await twoBuyers(stage);
    let key = '';
    const answerTo = async (): Promise<number> => {
      const answer = await fetch(`${stage.bed.url}/api/v1/actions/list_buyers`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: '{}',
      });
      return answer.status;
    };
    return {
      market,
      async run(scene) {
        const { hand, visit } = scene;
        const { page, context } = visit;
        await context.grantPermissions(['clipboard-write']);
        await goTo(scene, 'Keys');
        await hand.press(buttonIn(page, 'Create a key'));
        await hand.write(page.getByLabel('Name'), 'Of a task');
        await hand.tick(page.getByRole('checkbox', { name: 'read Buyers' }));
        await hand.press(buttonIn(page, 'Create the key'));
        const shown = page.getByRole('region', { name: 'New key' });
        await shown.waitFor();
        key = await shown.innerText();
        expect(await answerTo()).toBe(200);
        await hand.press(buttonIn(page, 'Copy the key'));
        await page.getByText('Copied.').waitFor();
        await hand.press(buttonIn(page.getByRole('dialog'), 'I have copied it'));
        await hand.press(buttonIn(page, /^Actions for Of a task/));
        await hand.pick('Revoke…');
        await hand.press(buttonIn(page.getByRole('dialog'), 'Revoke'));
        await rowWith(scene, 'Of a task').getByText('Revoked').waitFor();
      },
      async check() {
        expect(await answerTo()).toBe(401);
      },
    };
  },
};

const whoChanged: Task = {
  title: 'finds who changed the cap',
  async prepare(stage) {
    const market = await twoBuyers(stage);
    const link = { campaign_id: market.account.campaignId, buyer_id: idOf(market, 'North') };
    await stage.bed.done(market, 'update_campaign_buyer', { ...link, daily_cap: 40 });
    await stage.bed.done(market, 'update_campaign_buyer', { ...link, daily_cap: 7 });
    return {
      market,
      async run(scene) {
        const { hand, visit } = scene;
        const { page } = visit;
        await goTo(scene, 'Audit');
        await hand.open(page.locator('tr[data-key]').first());
        const panel = page.getByRole('complementary', { name: 'Update campaign buyer' });
        const cap = panel.getByRole('row', { name: /daily cap/ });
        await cap.getByText('40').waitFor();
        expect(await cap.innerText()).toMatch(/40[\s\S]*7/);
        await panel
          .getByText(/^Key \d+$/)
          .first()
          .waitFor();
      },
    };
  },
};

export const ORGANIZATION: readonly Task[] = [
  doubledDuplicates,
  fallenAcceptance,
  invite,
  endSession,
  makeKey,
  whoChanged,
];
