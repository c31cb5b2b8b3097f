import { lazy, Suspense, useSyncExternalStore, type ReactNode } from 'react';
import type { GridProps } from './grid.js';
import type Cards from './gridCards.js';
import { GridTable } from './gridTable.js';
import './grid.css';

// Rows of any type: `lazy` would fix it.
const GridCards = lazy(() => import('./gridCards.js')) as unknown as typeof Cards;

/**
 * Rows whose cells are edited in place, by keyboard as in a spreadsheet: arrows, Enter or F2 to edit, Escape to leave it,
 * Tab to the next cell, paste of columns, Ctrl+Z. What is typed is kept in `edits` until the page saves it.
 */
export function EditableGrid<R>(props: GridProps<R>): ReactNode {
  const isNarrow = useIsNarrow();
  if (props.rows.length === 0) return props.empty;
  // Another start is another grid: an address that names a cell opens it.
  const key = props.start ? `${props.start.row} ${props.start.column}` : '';
  if (!isNarrow) return <GridTable key={key} {...props} />;
  return (
    <Suspense>
      <GridCards key={key} {...props} />
    </Suspense>
  );
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
