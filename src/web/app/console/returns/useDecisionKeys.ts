/** `a` accepts and `r` rejects the row that has the focus, or the one that stands beside the list. */
import { useEffect, useEffectEvent } from 'react';
import type { Return, Verdict } from './words.js';

const VERDICTS: ReadonlyMap<string, Verdict> = new Map([
  ['a', 'accept'],
  ['r', 'reject'],
]);

export function useDecisionKeys(
  isOn: boolean,
  rows: readonly Return[],
  decide: (row: Return, verdict: Verdict) => void,
): void {
  const onKey = useEffectEvent((event: KeyboardEvent): void => {
    const verdict = VERDICTS.get(event.key.toLowerCase());
    if (!isOn || !verdict || isElsewhere(event)) return;
    const key = currentKey();
    const row = rows.find(({ id }) => id === key);
    if (row?.state !== 'requested') return;
    event.preventDefault();
    decide(row, verdict);
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => onKey(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}

function isElsewhere(event: KeyboardEvent): boolean {
  const { target } = event;
  const isPressedWith = event.metaKey || event.ctrlKey || event.altKey || event.repeat;
  return (
    event.defaultPrevented ||
    isPressedWith ||
    (target instanceof Element && target.closest(TAKEN) !== null)
  );
}

const TAKEN =
  'input:not([type=checkbox]), textarea, select, [contenteditable=true], dialog, [role=dialog], [role=menu], [popover]';

/** The focused row; else the row whose detail is open. */
const currentKey = (): string | undefined =>
  (
    document.activeElement?.closest<HTMLElement>('tr[data-key]') ??
    document.querySelector<HTMLElement>('tr[data-key][aria-current=true]')
  )?.dataset.key;
