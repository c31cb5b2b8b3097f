/** Uses a page by keyboard alone. */
import type { Locator, Page } from 'playwright-core';

const STEPS_MAX = 200;

/** The element properties that the tests need; the tests' own types have no DOM. */
interface InPage {
  ownerDocument: { activeElement: unknown };
}

/** Whether the element receives typed keys now. */
export const hasFocus = (target: Locator): Promise<boolean> =>
  target.evaluate(
    (element: unknown) => element === (element as InPage).ownerDocument.activeElement,
  );

/**
 * Moves the focus there by Tab.
 * @throws {Error} when Tab does not reach it
 */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let step = 0; step < STEPS_MAX; step++) {
    if (await hasFocus(target)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`The keyboard does not reach ${target.toString()}`);
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
