/** Uses a page by keyboard alone. */
import { expect } from '@jest/globals';
import type { ElementHandle, Locator, Page } from 'playwright-core';

const STEPS_MAX = 200;

/** The element properties that the tests need; the tests' own types have no DOM. */
interface InPage {
  ownerDocument: { activeElement: InPage | null };
  isConnected: boolean;
  compareDocumentPosition(other: InPage): number;
}

/** Whether the element receives typed keys now. */
export const hasFocus = (target: Locator): Promise<boolean> =>
  target.evaluate(
    (element: unknown) => element === (element as InPage).ownerDocument.activeElement,
  );

/** Where the focus is, seen from the element; `gone`: the page has drawn another one in its place. */
const focusFrom = (element: ElementHandle): Promise<'here' | 'before' | 'after' | 'gone'> =>
  element.evaluate((one: unknown) => {
    const own = one as InPage;
    const { activeElement } = own.ownerDocument;
    if (!own.isConnected) return 'gone';
    if (activeElement === null || activeElement === own) return activeElement ? 'here' : 'before';
    const FOLLOWING = 4;
    return own.compareDocumentPosition(activeElement) & FOLLOWING ? 'after' : 'before';
  });

/**
 * Moves the focus there by Tab, or by Shift and Tab from behind it.
 * @throws {Error} when they do not reach it
 */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  // It is looked up once: that reads the whole page.
  let element = await elementOf(target);
  for (let step = 0; step < STEPS_MAX; step++) {
    const place = await focusFrom(element);
    if (place === 'here') return;
    if (place === 'gone') element = await elementOf(target);
    else await page.keyboard.press(place === 'before' ? 'Tab' : 'Shift+Tab');
  }
  throw new Error(`The keyboard does not reach ${target.toString()}`);
}

async function elementOf(target: Locator): Promise<ElementHandle> {
  await target.waitFor();
  return target.elementHandle();
}

/** Moves there, and presses Enter (or another key: Space ticks a box). */
export async function press(page: Page, target: Locator, key = 'Enter'): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press(key);
}

/** Moves there, and replaces its text. */
export async function write(page: Page, target: Locator, text: string): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press('ControlOrMeta+a');
  if (text === '') await page.keyboard.press('Delete');
  else await page.keyboard.type(text);
}

/** Moves to a select, and chooses the option by its first letters. */
export async function choose(page: Page, target: Locator, option: string): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.type(option);
}

/** Opens the menu, which narrow pages have, and goes to one of its screens. */
export async function goTo(page: Page, screen: string): Promise<void> {
  await press(page, page.getByRole('button', { name: 'Menu', exact: true }));
  await press(page, page.getByRole('link', { name: screen, exact: true }));
}

/**
 * The controls that a person sees and can use, each a stop of the Tab key; of radio buttons and tabs, which arrows move
 * between, the chosen one. Of the rows of a list, which `j` and `k` move between, Tab reaches what is in them.
 */
const CONTROLS = `[...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]')]
  .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.matches(':disabled') && !one.closest('[inert]'))
  .filter((one) => !one.matches('tr[data-key], [role=tab][aria-selected=false], input[type=hidden], input[type=radio]:not(:checked)'))`;
/** A date field has several stops. */
const ROUNDS_MAX = 3;

/** Every control that a person sees is reached by Tab. */
export async function expectReached(page: Page): Promise<void> {
  const count = await page.evaluate<number>(`(() => {
    const reached = new Set();
    document.addEventListener('focusin', ({ target }) => reached.add(target));
    window.unreached = () => ${CONTROLS}.filter((one) => !reached.has(one)).map(({ outerHTML }) => outerHTML.slice(0, 100));
    return ${CONTROLS}.length;
  })()`);
  const unreached = (): Promise<string[]> => page.evaluate('window.unreached()');
  for (let round = 0; round < ROUNDS_MAX && (await unreached()).length > 0; round++)
    for (let stop = 0; stop < count + 1; stop++) await page.keyboard.press('Tab');
  expect(count).toBeGreaterThan(0);
  expect(await unreached()).toEqual([]);
}

const MENU_MAX = 20;

/** Chooses from the menu that is open: by arrows, as Tab leaves a menu. */
export async function chooseItem(page: Page, name: string): Promise<void> {
  const item = page.getByRole('menuitem', { name });
  await item.waitFor();
  for (let n = 0; n < MENU_MAX && !(await hasFocus(item)); n += 1)
    await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
}
