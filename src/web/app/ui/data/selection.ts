/** The rows that a person has chosen, for acts on many at once. */
import { useRef } from 'react';

export interface Selection {
  /** Keys of rows; those of other pages too. */
  selected: ReadonlySet<string>;
  onChange(selected: ReadonlySet<string>): void;
}

export interface SelectionActs {
  isSelected(key: string): boolean;
  /** Of the rows that are listed. */
  state: 'all' | 'some' | 'none';
  /** @param isRange every row from the one toggled before to this one */
  toggle(key: string, isRange: boolean): void;
  toggleAll(): void;
}

/** @param keys of the rows as they are listed */
export function useSelectionActs(
  selection: Selection | undefined,
  keys: readonly string[],
): SelectionActs | null {
  const last = useRef<string | null>(null);
  if (!selection) return null;
  const { selected, onChange } = selection;
  const chosen = keys.filter((key) => selected.has(key)).length;
  const state = chosen === 0 ? 'none' : chosen === keys.length ? 'all' : 'some';
  return {
    state,
    isSelected: (key) => selected.has(key),
    toggle(key, isRange) {
      const isOn = !selected.has(key);
      const range = isRange ? rangeOf(keys, last.current, key) : [key];
      last.current = key;
      onChange(changed(selected, range, isOn));
    },
    toggleAll: () => onChange(changed(selected, keys, state !== 'all')),
  };
}

/** The keys from one to the other, both included; the second alone where the first is not listed any more. */
function rangeOf(keys: readonly string[], from: string | null, to: string): readonly string[] {
  const start = from === null ? -1 : keys.indexOf(from);
  const end = keys.indexOf(to);
  if (start === -1) return [to];
  return keys.slice(Math.min(start, end), Math.max(start, end) + 1);
}

function changed(
  selected: ReadonlySet<string>,
  keys: readonly string[],
  isOn: boolean,
): ReadonlySet<string> {
  const next = new Set(selected);
  for (const key of keys) {
    if (isOn) next.add(key);
    else next.delete(key);
  }
  return next;
}
