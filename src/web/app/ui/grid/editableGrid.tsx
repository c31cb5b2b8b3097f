import { useSyncExternalStore, type ReactNode } from 'react';
import type { GridProps } from './grid.js';
import { GridTable } from './gridTable.js';
import './grid.css';

/**
 * Rows whose cells are edited in place, by keyboard as in a spreadsheet: arrows, Enter or F2 to edit, Escape to leave it,
 * Tab to the next cell, paste of columns, Ctrl+Z. What is typed is kept in `edits` until the page saves it.
 */
export function EditableGrid<R>(props: GridProps<R>): ReactNode {
  const isNarrow = useIsNarrow();
  if (props.rows.length === 0) return props.empty;
  // Another start is another grid: an address that names a cell opens it.
  const key = props.start ? `${props.start.row} ${props.start.column}` : '';
  return isNarrow ? <GridCards key={key} {...props} /> : <GridTable key={key} {...props} />;
}

const NARROW = '(max-width: 40rem)';

const useIsNarrow = (): boolean =>
  useSyncExternalStore(
    (changed) => {
      const query = matchMedia(NARROW);
      query.addEventListener('change', changed);
      return () => query.removeEventListener('change', changed);
    },
    () => matchMedia(NARROW).matches,
  );
