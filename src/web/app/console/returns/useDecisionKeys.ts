/** `a` accepts and `r` rejects the row that has the focus, or the one that stands beside the list. */
import { useShortcut } from '../../lib/shortcuts.js';
import type { Return, Verdict } from './words.js';

export function useDecisionKeys(
  isOn: boolean,
  rows: readonly Return[],
  decide: (row: Return, verdict: Verdict) => void,
): void {
  const decideCurrent = (verdict: Verdict): void => {
    const key = currentKey();
    const row = rows.find(({ id }) => id === key);
    if (row?.state === 'requested') decide(row, verdict);
  };
  useShortcut(isOn ? 'a' : '', 'Accept the return', () => decideCurrent('accept'));
  useShortcut(isOn ? 'r' : '', 'Reject the return', () => decideCurrent('reject'));
}

/** The focused row; else the row whose detail is open. */
const currentKey = (): string | undefined =>
  (
    document.activeElement?.closest<HTMLElement>('tr[data-key]') ??
    document.querySelector<HTMLElement>('tr[data-key][aria-current=true]')
  )?.dataset.key;
