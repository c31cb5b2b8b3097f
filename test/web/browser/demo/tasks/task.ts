/** Tasks of an operator: what is there before, what the person does, and what is so afterwards. */
import type { Locator } from 'playwright-core';
import type { ReturnTestbed } from '../../../../outcomes/returns/returnTestbed.js';
import type { OpenVisit, Visit } from '../../../../support/browser.js';
import type { Hand } from '../../../../support/hand.js';
import type { Market, MarketSpec } from '../../../../support/testbed.js';

export interface TaskStage {
  bed: ReturnTestbed;
  open: OpenVisit;
}

/** A person at the first screen of an account of its own. */
export interface Scene extends TaskStage {
  market: Market;
  visit: Visit;
  hand: Hand;
}

export interface Prepared {
  market: Market;
  /** What the person does, from the first screen on, until it shows what was asked. */
  run(scene: Scene): Promise<void>;
  /** Afterwards: in what is stored, or by what the next lead does. */
  check?(scene: Scene): Promise<void>;
}

export interface Task {
  title: string;
  /** The page that it ends at is looked at by axe too. */
  isLookedAt?: boolean;
  prepare(stage: TaskStage): Promise<Prepared>;
}

/** Two buyers, of which North is asked first. */
export const twoBuyers = ({ bed }: TaskStage, more: MarketSpec = {}): Promise<Market> =>
  bed.market({ buyers: { North: { price: 20 }, South: { price: 10 } }, ...more });

export const idOf = (market: Market, buyer: string): string => market.account.buyers[buyer] ?? '';

/** Opens a screen from the navigation, which narrow pages have in a menu. */
export async function goTo({ hand, visit }: Scene, screen: string): Promise<void> {
  const { page } = visit;
  const menu = page.getByRole('button', { name: 'Menu', exact: true });
  if (await menu.isVisible()) await hand.press(menu);
  const screens = page.getByRole('navigation', { name: 'Screens' });
  await hand.press(screens.getByRole('link', { name: screen, exact: true }));
  await page.getByRole('heading', { level: 1, name: screen }).waitFor();
}

/** Opens the screen of a record: from a list by its name, and one of its tabs. */
export async function goToRecord(
  scene: Scene,
  [list, name, tab]: readonly [list: string, name: string, tab?: string],
): Promise<void> {
  const { hand, visit } = scene;
  const { page } = visit;
  await goTo(scene, list);
  await hand.press(page.locator('main').getByRole('link', { name, exact: true }).first());
  await page.getByRole('heading', { level: 1, name }).waitFor();
  if (tab === undefined) return;
  const tabs = page.getByRole('navigation', { name: 'Parts' });
  await hand.press(tabs.getByRole('link', { name: tab }));
}

/** The rows of the list that is shown. */
export const rowWith = ({ visit }: Scene, text: string | RegExp): Locator =>
  visit.page.locator('main').getByRole('row').filter({ hasText: text }).first();

export const buttonIn = (place: Locator | Scene['visit']['page'], name: string | RegExp): Locator =>
  place.getByRole('button', { name, exact: typeof name === 'string' }).first();
