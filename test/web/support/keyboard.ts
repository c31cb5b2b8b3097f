/** A person without a mouse: everything is reached and done with keys, as somebody would who cannot point. */
import type { Locator, Page } from 'playwright-core';

export interface Keyboard {
  /**
   * Presses Tab until what is meant has the focus.
   * @throws {Error} when it is never reached
   */
  goTo(target: Locator): Promise<void>;
  /** Goes there, and presses Enter. */
  use(target: Locator): Promise<void>;
  /** Goes to a field, and types into it in the place of what it holds. */
  fill(target: Locator, text: string): Promise<void>;
  /** Goes to a list of options, and chooses the one with this label by the arrow keys. */
  choose(target: Locator, label: string): Promise<void>;
  /** Goes to a box, and ticks it. */
  tick(target: Locator): Promise<void>;
  press(key: string): Promise<void>;
}

/** More stops than any page has. */
const MOST_STOPS = 250;

export function keyboardOf(page: Page): Keyboard {
  const press = (key: string): Promise<void> => page.keyboard.press(key);

  async function goTo(target: Locator): Promise<void> {
    await target.first().waitFor();
    for (let stop = 0; stop < MOST_STOPS; stop += 1) {
      if ((await target.and(page.locator(':focus')).count()) > 0) return;
      await press('Tab');
    }
    throw new Error(`Tab never reaches ${String(target)}`);
  }

  return {
    press,
    goTo,
    async use(target) {
      await goTo(target);
      await press('Enter');
    },
    async fill(target, text) {
      await goTo(target);
      await press('ControlOrMeta+a');
      await press('Delete');
      await page.keyboard.insertText(text);
    },
    async choose(target, label) {
      await goTo(target);
      const labels = await target.locator('option').allTextContents();
      const chosen = await target.locator('option:checked').textContent();
      if (!labels.includes(label)) throw new Error(`There is no option "${label}"`);
      const steps = labels.indexOf(label) - labels.indexOf(chosen ?? '');
      for (let step = 0; step < Math.abs(steps); step += 1)
        await press(steps > 0 ? 'ArrowDown' : 'ArrowUp');
    },
    async tick(target) {
      await goTo(target);
      await press('Space');
    },
  };
}
