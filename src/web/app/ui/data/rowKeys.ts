/** Keys of a list: `j` and `k` move from row to row, Enter opens one, `x` selects it, Shift+X a range. */
import { useEffect, useRef, useState } from 'react';
import { shortcutsAreOn } from '../../lib/shortcuts.js';

interface RowKeysInput {
  /** Of the rows as they are listed. */
  keys: readonly string[];
  table: HTMLElement | null;
  /** Brings a row into the page that is not drawn, being far away. */
  show(index: number): void;
  open?(key: string): void;
  select?(key: string, isRange: boolean): void;
  /** The row whose detail stands beside the list: moving opens the next one. */
  activeKey?: string;
}

interface RowKeys {
  /** The row that Tab reaches. */
  current: string | undefined;
  /** A row has taken the focus. */
  onFocus(key: string): void;
}

export function useRowKeys(input: RowKeysInput): RowKeys {
  const { keys, table, activeKey } = input;
  const [current, setCurrent] = useState<string | null>(null);
  // A key that is held down comes faster than the page is drawn.
  const last = useRef<string | null>(null);
  const reach = (key: string): void => {
    last.current = key;
    setCurrent(key);
  };
  const reached = current !== null && keys.includes(current) ? current : (activeKey ?? keys[0]);

  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (!isForTable(event, table)) return;
      const focused = focusedKey(table);
      const at = keys.indexOf(last.current ?? activeKey ?? '');
      if (event.key === 'j' || event.key === 'k') {
        event.preventDefault();
        const index = Math.min(Math.max(at + (event.key === 'j' ? 1 : -1), 0), keys.length - 1);
        const key = keys[index];
        if (key === undefined) return;
        reach(key);
        input.show(index);
        focusRow(table, key);
        if (activeKey !== undefined) input.open?.(key);
        return;
      }
      if (focused === undefined) return;
      if (event.key === 'Enter' && event.target instanceof HTMLTableRowElement) {
        event.preventDefault();
        input.open?.(focused);
      }
      if (event.key.toLowerCase() === 'x' && input.select) {
        event.preventDefault();
        input.select(focused, event.shiftKey);
      }
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  });
  return { current: reached, onFocus: reach };
}

/** Keys work wherever the focus is, unless something is typed, chosen or asked; with several tables, in the first one. */
function isForTable(event: KeyboardEvent, table: HTMLElement | null): boolean {
  if (
    !table ||
    !shortcutsAreOn() ||
    event.defaultPrevented ||
    event.metaKey ||
    event.ctrlKey ||
    event.altKey
  ) {
    return false;
  }
  const { target } = event;
  if (!(target instanceof Element)) return false;
  if (table.contains(target)) return !isTyping(target);
  const isElsewhere = target.closest('dialog, [role=dialog], [role=menu], [popover]') !== null;
  return !isElsewhere && !isTyping(target) && document.querySelector('[data-row-keys]') === table;
}

const isTyping = (target: Element): boolean =>
  target.closest('input:not([type=checkbox]), textarea, select, [contenteditable=true]') !== null;

const focusedKey = (table: HTMLElement | null): string | undefined =>
  document.activeElement !== null && table?.contains(document.activeElement)
    ? document.activeElement.closest<HTMLElement>('tr[data-key]')?.dataset.key
    : undefined;

/** Frames in which a row that was far away is drawn. */
const FRAMES_MAX = 10;

/** Now, or as soon as the row is drawn. */
function focusRow(table: HTMLElement | null, key: string, frames = FRAMES_MAX): void {
  const row = table?.querySelector<HTMLElement>(`tr[data-key="${CSS.escape(key)}"]`);
  if (row) row.focus();
  else if (frames > 0) requestAnimationFrame(() => focusRow(table, key, frames - 1));
}
