/** The columns of a table of data, and which of them a person sees. */
import { useState, type ReactNode } from 'react';

export interface DataColumn<R> {
  /** Unique in its table; what a person's choice of columns is kept by. */
  id: string;
  /** Also the label of the value on a card. */
  header: string;
  cell(row: R): ReactNode;
  /** Right-aligned, in figures of one width. */
  isNumber?: boolean;
  /** Rows are sorted by it in the page: only for whole lists, never for a page of a longer one. */
  sortValue?(row: R): string | number | null | undefined;
  /** Shown only to those who choose it. */
  isHiddenAtFirst?: boolean;
  /** Cannot be hidden, stays while the others scroll sideways, and is the title of a card. */
  isPinned?: boolean;
}

/** The columns that are shown, by id, and how to change them. */
export interface ShownColumns {
  shown: ReadonlySet<string>;
  onChange(shown: ReadonlySet<string>): void;
  /** Back to what the screen shows at first. */
  reset(): void;
  isChanged: boolean;
}

/** What is kept of a choice: columns that a later release adds are shown as they are at first. */
interface Choice {
  shown: readonly string[];
  hidden: readonly string[];
}

export type Choosable = Pick<DataColumn<never>, 'id' | 'isHiddenAtFirst' | 'isPinned'>;

/** A choice of columns, kept in this browser under `storageKey`. */
export function useShownColumns(
  columns: readonly Choosable[],
  storageKey: string | undefined,
): ShownColumns {
  const [choice, setChoice] = useState(() => read(storageKey));
  const shown = new Set(columns.filter((column) => isShown(column, choice)).map(({ id }) => id));
  const keep = (next: Choice | null): void => {
    setChoice(next);
    write(storageKey, next);
  };
  return {
    shown,
    isChanged: choice !== null,
    reset: () => keep(null),
    onChange: (next) =>
      keep({
        shown: columns.filter(({ id }) => next.has(id)).map(({ id }) => id),
        hidden: columns.filter(({ id }) => !next.has(id)).map(({ id }) => id),
      }),
  };
}

function isShown({ id, isHiddenAtFirst, isPinned }: Choosable, choice: Choice | null): boolean {
  if (isPinned || choice?.shown.includes(id)) return true;
  return !isHiddenAtFirst && !choice?.hidden.includes(id);
}

/** The choice of this browser, as an address has it; null: there is none. */
export const keptColumns = (storageKey: string): string | null =>
  read(storageKey)?.shown.join() ?? null;

const keyOf = (storageKey: string): string => `columns:${storageKey}`;

function read(storageKey: string | undefined): Choice | null {
  if (storageKey === undefined) return null;
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(storageKey)) ?? 'null');
    return isChoice(kept) ? kept : null;
  } catch {
    return null;
  }
}

const isChoice = (kept: unknown): kept is Choice =>
  typeof kept === 'object' &&
  kept !== null &&
  'shown' in kept &&
  'hidden' in kept &&
  Array.isArray(kept.shown) &&
  Array.isArray(kept.hidden);

function write(storageKey: string | undefined, choice: Choice | null): void {
  if (storageKey === undefined) return;
  try {
    if (choice === null) localStorage.removeItem(keyOf(storageKey));
    else localStorage.setItem(keyOf(storageKey), JSON.stringify(choice));
  } catch {
    // A browser that keeps nothing shows the columns of the choice until the page is left.
  }
}
