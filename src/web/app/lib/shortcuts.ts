/**
 * Keys without a modifier: `g l`, `/`, `?`. They wait while something is typed, chosen or asked, and each person can turn
 * them off in this browser: speech input and slips press them too (WCAG 2.1.4).
 */
import { useEffect, useRef } from 'react';

export interface Shortcut {
  /** One key, or two after each other with a blank between. */
  keys: string;
  label: string;
  run(): unknown;
}

const OFF_KEY = 'leadwire.shortcuts.off';
/** How long the first key of two waits for the second. */
const SECOND_WITHIN_MS = 1_500;

const shortcuts = new Set<Shortcut>();

/** Those of the page as it is, in the order in which they came. */
export const activeShortcuts = (): readonly Shortcut[] => [...shortcuts];

export function shortcutsAreOn(): boolean {
  try {
    return localStorage.getItem(OFF_KEY) === null;
  } catch {
    return true;
  }
}

export function turnShortcuts(isOn: boolean): void {
  try {
    if (isOn) localStorage.removeItem(OFF_KEY);
    else localStorage.setItem(OFF_KEY, '1');
  } catch {
    // Without storage they stay as they are.
  }
}

/** A key of the part that is shown; the sheet of keys lists it meanwhile. Without `keys` there is none. */
export function useShortcut(keys: string, label: string, run: () => unknown): void {
  const latest = useRef(run);
  useEffect(() => {
    latest.current = run;
  });
  useEffect(() => {
    if (keys === '') return;
    const shortcut = { keys, label, run: () => latest.current() };
    shortcuts.add(shortcut);
    return () => void shortcuts.delete(shortcut);
  }, [keys, label]);
}

/** Runs the shortcuts of the page. @returns what ends it */
export function listenForShortcuts(): () => void {
  let first: { key: string; at: number } | null = null;
  const onKey = (event: KeyboardEvent): void => {
    if (isBusy(event) || !shortcutsAreOn()) return;
    const isSecond = first !== null && event.timeStamp - first.at < SECOND_WITHIN_MS;
    const typed = isSecond && first ? `${first.key} ${event.key}` : event.key;
    const found = [...shortcuts].find(({ keys }) => keys === typed);
    const begins = [...shortcuts].some(({ keys }) => keys.startsWith(`${event.key} `));
    first = !isSecond && begins ? { key: event.key, at: event.timeStamp } : null;
    if (!found) return;
    event.preventDefault();
    // Of two keys the second belongs to nothing else, such as a list.
    event.stopImmediatePropagation();
    found.run();
  };
  addEventListener('keydown', onKey, { capture: true });
  return () => removeEventListener('keydown', onKey, { capture: true });
}

/** A modifier makes it a key of the browser, and one that is held runs once; a field, a menu, a list or a dialog has keys of its own. */
function isBusy({ metaKey, ctrlKey, altKey, repeat, target }: KeyboardEvent): boolean {
  if (metaKey || ctrlKey || altKey || repeat || !(target instanceof Element)) return true;
  return (
    target.closest(
      'input:not([type=checkbox], [type=radio], [type=button]), textarea, select, [contenteditable=true], [role=menu], [role=listbox], [role=combobox], dialog, [role=dialog], [popover]:popover-open',
    ) !== null || document.querySelector('dialog[open]') !== null
  );
}
