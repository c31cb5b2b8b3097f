/** Leads that are found, followed, kept as a view, and taken away as a file. */
import { readFile } from 'node:fs/promises';
import { expect } from '@jest/globals';
import { NO } from '../../../../support/fakeBuyer.js';
import type { Locator, Page } from 'playwright-core';
import { buttonIn, goTo, rowWith, twoBuyers, type Scene, type Task } from './task.js';

const searchField = (page: Page): Locator =>
  page.getByPlaceholder('Phone, email, name or click ID');

async function search(scene: Scene, text: string): Promise<void> {
  await goTo(scene, 'Leads');
  await scene.hand.write(searchField(scene.visit.page), text);
  await scene.hand.keys('Enter');
  await scene.visit.page.waitForURL(/search=/u);
}

const panelOf = (page: Page): Locator => page.getByRole('complementary', { name: 'Lead' });

const whyByPhone: Task = {
  title: 'finds a lead by phone and reads why it was not sold',
  isLookedAt: true,
  async prepare(stage) {
    const market = await twoBuyers(stage);
    for (const name of ['North', 'South']) market.behave(name, () => NO);
    await market.post();
    await market.post({ first_name: 'Ada', last_name: 'Asked', phone: '4155550111' });
    return {
      market,
      async run(scene) {
        const { hand, visit } = scene;
        await search(scene, '(415) 555-0111');
        await hand.open(rowWith(scene, 'Ada Asked'));
        await panelOf(visit.page).getByText('both buyers refused it').first().waitFor();
      },
    };
  },
};

const byName: Task = {
  title: 'finds a lead by its name in two words',
  async prepare(stage) {
    const market = await twoBuyers(stage);
    await market.post({ first_name: 'Noor', last_name: 'Smith' });
    await market.post({ first_name: 'Ana', last_name: 'Smith' });
    return {
      market,
      async run(scene) {
        await search(scene, 'noor smith');
        await rowWith(scene, 'Ana Smith').waitFor({ state: 'detached' });
        await scene.hand.open(rowWith(scene, 'Noor Smith'));
        const panel = panelOf(scene.visit.page);
        await panel.getByRole('heading', { name: 'Noor Smith' }).waitFor();
      },
    };
  },
};

const exportWeek: Task = {
  title: 'exports a week of leads as CSV',
  async prepare(stage) {
    const market = await twoBuyers(stage);
    const { id } = await market.post();
    let file = '';
    return {
      market,
      async run(scene) {
        const { hand, visit } = scene;
        const { page } = visit;
        await goTo(scene, 'Leads');
        await hand.press(buttonIn(page, /^Days/));
        await hand.press(buttonIn(page.getByRole('dialog'), 'Last 7 days'));
        await page.waitForURL(/days=7d/u);
        const [download] = await Promise.all([
          page.waitForEvent('download'),
          hand.press(buttonIn(page, 'Download CSV')),
        ]);
        file = await readFile(await download.path(), 'utf8');
      },
      check() {
        expect(file).toContain(id);
        expect(file).toContain('#end 1');
        return Promise.resolve();
      },
    };
  },
};

const followLive: Task = {
  title: 'follows leads live and opens one',
  async prepare(stage) {
    const market = await twoBuyers(stage);
    await market.post();
    return {
      market,
      async run(scene) {
        const { hand, visit } = scene;
        const { page } = visit;
        await goTo(scene, 'Leads');
        await hand.press(buttonIn(page, /^Live/));
        await page.locator('.live-dot.on').waitFor();
        await market.post({ first_name: 'Fay', last_name: 'Fresh' });
        await hand.press(buttonIn(page, 'Show 1 new lead'));
        await hand.open(rowWith(scene, 'Fay Fresh'));
        await panelOf(page).getByRole('heading', { name: 'Fay Fresh' }).waitFor();
      },
    };
  },
};

const saveView: Task = {
  title: 'saves a view and opens it again',
  async prepare(stage) {
    const market = await twoBuyers(stage);
    for (const name of ['North', 'South']) market.behave(name, () => NO);
    await market.post({ first_name: 'Uma', last_name: 'Unsold' });
    return {
      market,
      async run(scene) {
        const { hand, visit } = scene;
        const { page } = visit;
        await goTo(scene, 'Leads');
        await hand.press(buttonIn(page, /^Status/));
        await hand.press(buttonIn(page.getByRole('dialog'), 'Unmatched'));
        await page.waitForURL(/status=UNMATCHED/u);
        await hand.press(buttonIn(page, 'Save view'));
        await hand.write(page.getByRole('textbox', { name: 'Name' }), 'Unsold');
        await hand.keys('Enter');
        await page.getByText('View “Unsold” saved.').waitFor();
        await goTo(scene, 'Queues');
        await goTo(scene, 'Leads');
        await hand.press(buttonIn(page, 'Saved views'));
        await hand.press(buttonIn(page, 'Unsold'));
        await page.waitForURL(/status=UNMATCHED/u);
        await rowWith(scene, 'Uma Unsold').waitFor();
      },
    };
  },
};

export const FINDING: readonly Task[] = [whyByPhone, byName, exportWeek, followLive, saveView];
