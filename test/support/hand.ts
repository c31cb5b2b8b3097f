/** A person at a page: with the pointer, or with the keyboard alone. It counts what the person does. */
import type { Locator, Page } from 'playwright-core';
import { choose, chooseItem, hasFocus, press, tabTo, write } from './keyboard.js';

export type HandKind = 'pointer' | 'keyboard';

export interface Hand {
  kind: HandKind;
  page: Page;
  /** Uses a link or a button. */
  press(target: Locator): Promise<void>;
  /** Replaces the text of a field. */
  write(target: Locator, text: string): Promise<void>;
  /** Chooses an option of a select by its text. */
  choose(target: Locator, option: string): Promise<void>;
  /** Ticks a box. */
  tick(target: Locator): Promise<void>;
  /** Moves the focus there; with a pointer, by a click. */
  reach(target: Locator): Promise<void>;
  /** Opens a row of a list. */
  open(row: Locator): Promise<void>;
  /** Chooses from the menu that is open. */
  pick(item: string): Promise<void>;
  /** Presses keys wherever the focus is: an accelerator, which a person with a pointer has too. */
  keys(...keys: readonly string[]): Promise<void>;
  /** How often something was used, written, chosen or ticked. */
  acts(): number;
}

export function handOn(page: Page, kind: HandKind): Hand {
  let count = 0;
  const does =
    <A extends readonly unknown[]>(act: (...args: A) => Promise<unknown>) =>
    async (...args: A): Promise<void> => {
      count++;
      await act(...args);
    };
  const byKeyboard = {
    press: does((target: Locator) => press(page, target)),
    write: does((target: Locator, text: string) => write(page, target, text)),
    choose: does((target: Locator, option: string) => choose(page, target, option)),
    tick: does((target: Locator) => press(page, target, 'Space')),
    reach: does((target: Locator) => tabTo(page, target)),
    open: does((row: Locator) => openByKeys(page, row)),
    pick: does((item: string) => chooseItem(page, item)),
  };
  const byPointer = {
    press: does((target: Locator) => target.click()),
    write: does((target: Locator, text: string) => target.fill(text)),
    choose: does((target: Locator, option: string) => target.selectOption({ label: option })),
    tick: does((target: Locator) => target.click()),
    reach: does((target: Locator) => target.click()),
    open: does((row: Locator) => row.click()),
    pick: does((item: string) => page.getByRole('menuitem', { name: item }).click()),
  };
  return {
    kind,
    page,
    ...(kind === 'keyboard' ? byKeyboard : byPointer),
    keys: does(async (...keys: readonly string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    }),
    acts: () => count,
  };
}

const ROWS_MAX = 60;

/** `j` goes from row to row, Enter opens the one with the focus. */
async function openByKeys(page: Page, row: Locator): Promise<void> {
  await row.waitFor();
  for (let n = 0; n < ROWS_MAX && !(await hasFocus(row)); n += 1) await page.keyboard.press('j');
  await page.keyboard.press('Enter');
}
