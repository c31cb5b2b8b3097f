/** Terms of campaigns, and what partners ask for: changed, reverted, tried, decided. */
import { expect } from '@jest/globals';
import { NO } from '../../../../support/fakeBuyer.js';
import { openPortal, portalClient } from '../../../../support/portal.js';
import { waitFor } from '../../../../support/waitFor.js';
import type { Market } from '../../../../support/testbed.js';
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

const linkOf = ({ bed }: TaskStage, market: Market, buyer: string) =>
  bed.collections.campaignBuyers.findOne({
    campaign_id: market.account.campaignId,
    buyer_id: idOf(market, buyer),
  });

async function save({ hand, visit }: Scene, button: string): Promise<void> {
  await hand.press(buttonIn(visit.page, button));
  await visit.page.getByText(/^Saved as version/).waitFor();
}

const raiseCap: Task = {
  title: 'raises the cap that stopped a lead and sees the next lead sold',
  isLookedAt: true,
  async prepare(stage) {
    const market = await stage.bed.market({ buyers: { North: { price: 20, daily_cap: 1 } } });
    await market.post();
    await market.post({ first_name: 'Cara', last_name: 'Capped' });
    return {
      market,
      async run(scene) {
        const { hand, visit } = scene;
        const { page } = visit;
        await goTo(scene, 'Leads');
        await hand.press(rowWith(scene, 'Cara Capped').getByRole('link').first());
        await hand.press(page.getByRole('link', { name: /^Raise the cap of/ }));
        await page
          .getByLabel(/^Daily cap/)
          .and(page.locator(':focus'))
          .waitFor();
        await hand.keys('ControlOrMeta+a', '5', '0', 'Enter');
        await save(scene, 'Save 1 change');
      },
      async check() {
        expect((await market.post()).data?.status).toBe('ACCEPTED');
      },
    };
  },
};

const PRICES = [
  ['East', '31'],
  ['North', '32'],
  ['South', '33'],
] as const;

/** In the grid the next row follows Enter; as cards each buyer has a form of its own. */
async function writePrices({ hand, visit }: Scene): Promise<void> {
  const { page } = visit;
  await page.getByText('South').first().waitFor();
  const cards = page.locator('.grid-card');
  if ((await cards.count()) > 0) {
    for (const [name, price] of PRICES) {
      const card = cards.filter({ hasText: name });
      await hand.press(card.locator('summary'));
      await hand.write(card.getByLabel(/^Price/).first(), price);
      await hand.keys('Enter');
    }
    return;
  }
  const cell = (column: number) => page.locator(`[data-cell="0:${column}"]`);
  if (hand.kind === 'pointer') await hand.press(cell(PRICE_CELL));
  else {
    await hand.reach(cell(0));
    await hand.keys('ArrowRight', 'ArrowRight');
  }
  for (const [row, [, price]] of PRICES.entries()) {
    await page.locator(`[data-cell="${row}:${PRICE_CELL}"]:focus`).waitFor();
    await hand.keys(...price.split(''), 'Enter');
  }
}

/** After the name and the status. */
const PRICE_CELL = 2;

const threePrices: Task = {
  title: 'changes three prices at once, with a preview before saving',
  async prepare(stage) {
    const market = await stage.bed.market({
      buyers: { East: { price: 11 }, North: { price: 12 }, South: { price: 13 } },
    });
    await market.post();
    return {
      market,
      async run(scene) {
        const { hand, visit } = scene;
        const { page } = visit;
        await goToRecord(scene, ['Campaigns', 'Campaign', 'Buyers']);
        await writePrices(scene);
        await hand.press(page.locator('.save-bar').getByRole('link', { name: 'Preview' }));
        await page.getByText('Leads compared').waitFor();
        await save(scene, 'Save 3 changes');
      },
      async check() {
        for (const [name, price] of PRICES)
          expect((await linkOf(stage, market, name))?.price).toBe(Number(price) * 1_000_000);
        expect((await market.lead((await market.post()).id)).price).toBe(31_000_000);
      },
    };
  },
};

const revert: Task = {
  title: "reverts yesterday's change",
  isLookedAt: true,
  async prepare(stage) {
    const market = await twoBuyers(stage);
    await stage.bed.done(market, 'update_campaign_buyer', {
      campaign_id: market.account.campaignId,
      buyer_id: idOf(market, 'North'),
      price: 2,
    });
    return {
      market,
      async run(scene) {
        const { hand, visit } = scene;
        const { page } = visit;
        await goToRecord(scene, ['Campaigns', 'Campaign', 'Versions']);
        await hand.press(buttonIn(page, 'Revert to version 1'));
        const dialog = page.getByRole('dialog');
        await dialog.getByText('$2.00').first().waitFor();
        await hand.press(buttonIn(dialog, 'Revert to version 1'));
        await page.getByText('Version 3 has the settings of version 1.').waitFor();
      },
      async check() {
        expect((await market.lead((await market.post()).id)).price).toBe(20_000_000);
      },
    };
  },
};

const testLead: Task = {
  title: 'sends a test lead',
  async prepare(stage) {
    const market = await twoBuyers(stage);
    return {
      market,
      async run(scene) {
        const { hand, visit } = scene;
        await goToRecord(scene, ['Campaigns', 'Campaign', 'Test lead']);
        await hand.press(buttonIn(visit.page, 'Send test lead'));
        await visit.page.getByRole('list', { name: 'Its way' }).waitFor();
      },
      async check() {
        expect(await market.leads()).toMatchObject([{ is_test: true }]);
      },
    };
  },
};

const copyGuide: Task = {
  title: "copies a supplier's posting guide",
  async prepare(stage) {
    const market = await twoBuyers(stage);
    let copied = '';
    return {
      market,
      async run(scene) {
        const { hand, visit } = scene;
        const { page, context } = visit;
        await context.grantPermissions(['clipboard-read', 'clipboard-write']);
        await goToRecord(scene, ['Campaigns', 'Campaign', 'Posting guide']);
        await hand.press(buttonIn(page, /^Copy .*guide/i));
        await waitFor(async () => {
          copied = await page.evaluate<string>('navigator.clipboard.readText()');
          return copied !== '';
        });
      },
      check() {
        expect(copied).toContain(market.account.campaignId);
        expect(copied).toContain(market.account.suppliers[0]?.id);
        return Promise.resolve();
      },
    };
  },
};

async function returnsOf(stage: TaskStage, count: number) {
  const market = await stage.bed.market({ buyers: { North: {} } });
  const lead_ids: string[] = [];
  for (let n = 0; n < count; n++) lead_ids.push(await stage.bed.sold(market));
  await stage.bed.done(market, 'request_returns', { lead_ids, reason: 'bad_contact_info' });
  const states = async () => {
    const { returns } = stage.bed.collections;
    const found = await returns.find({ org_id: market.account.orgId }).toArray();
    return found.map(({ state, resolution_note }) => [state, resolution_note ?? null]);
  };
  return { market, states };
}

const tenReturns: Task = {
  title: 'decides ten returns at once',
  async prepare(stage) {
    const { market, states } = await returnsOf(stage, 10);
    return {
      market,
      async run(scene) {
        const { hand, visit } = scene;
        const { page } = visit;
        await goTo(scene, 'Returns');
        await rowWith(scene, 'Bad contact info').waitFor();
        await hand.tick(page.getByRole('checkbox', { name: 'Select all rows shown' }));
        const bar = page.getByRole('region', { name: 'Selected rows' });
        await hand.press(buttonIn(bar, 'Accept'));
        const dialog = page.getByRole('dialog');
        await hand.press(buttonIn(dialog, 'Accept 10'));
        await dialog.getByText('10 returns accepted.').waitFor();
        await hand.press(buttonIn(dialog, 'Done'));
      },
      async check() {
        expect(await states()).toEqual(Array(10).fill(['accepted', null]));
      },
    };
  },
};

const rejectReturn: Task = {
  title: 'rejects one return with a note',
  async prepare(stage) {
    const { market, states } = await returnsOf(stage, 1);
    return {
      market,
      async run(scene) {
        const { hand, visit } = scene;
        const { page } = visit;
        await goTo(scene, 'Returns');
        await hand.open(page.locator('tr[data-key]').first());
        const panel = page.getByRole('complementary', { name: 'Return' });
        await hand.write(panel.getByLabel('Note'), 'The number rings');
        await hand.press(buttonIn(panel, 'Reject'));
        await waitFor(async () => (await states())[0]?.[0] === 'rejected', {
          message: 'it is rejected once it can no longer be undone',
          timeoutMs: 12_000,
        });
      },
      async check() {
        expect(await states()).toEqual([['rejected', 'The number rings']]);
      },
    };
  },
};

const approve: Task = {
  title: 'approves a change request',
  async prepare(stage) {
    const market = await twoBuyers(stage);
    const { orgId: org_id, campaignId: campaign_id } = market.account;
    const party = { org_id, side: 'buyer', party_id: idOf(market, 'North') } as const;
    const north = portalClient(stage.bed.url, await openPortal(stage.bed.collections, party));
    const asked = { campaign_id, price: 12, reason: 'Fewer calls' };
    expect((await north.call('request_change', asked)).status).toBe(200);
    market.behave('South', () => NO);
    return {
      market,
      async run(scene) {
        const { hand, visit } = scene;
        const { page } = visit;
        await goTo(scene, 'Change requests');
        await hand.press(buttonIn(page, 'Decide the request of North'));
        await hand.press(buttonIn(page.getByRole('dialog'), 'Approve'));
        await page.getByText('Approved: the new terms apply').waitFor();
      },
      async check() {
        expect((await market.lead((await market.post()).id)).price).toBe(12_000_000);
      },
    };
  },
};

export const DECIDING: readonly Task[] = [
  raiseCap,
  threePrices,
  revert,
  testLead,
  copyGuide,
  tenReturns,
  rejectReturn,
  approve,
];
