import type { Column } from '@tanstack/react-table';
import type { ReactNode } from 'react';
import type { DataColumn } from './columns.js';
import type { Features, Item } from './features.js';
import type { SelectionActs } from './selection.js';

interface HeadCellProps<R> {
  own: DataColumn<R>;
  column: Column<Features, Item<R>>;
}

/** The name of a column; a button where its rows can be sorted. */
export function HeadCell<R>({ own, column }: HeadCellProps<R>): ReactNode {
  const className = classOf(own);
  if (!column.getCanSort()) {
    return (
      <th role="columnheader" scope="col" className={className}>
        {own.header}
      </th>
    );
  }
  const order = column.getIsSorted();
  return (
    <th
      role="columnheader"
      scope="col"
      className={className}
      aria-sort={order === false ? 'none' : order === 'asc' ? 'ascending' : 'descending'}
    >
      <button type="button" className="sort" onClick={() => column.toggleSorting(order === 'asc')}>
        {own.header}
        <span aria-hidden="true">{order === false ? '' : order === 'asc' ? ' ↑' : ' ↓'}</span>
      </button>
    </th>
  );
}

/** Of a column's cells. */
export const classOf = ({ isNumber, isPinned }: DataColumn<never>): string | undefined =>
  [isNumber && 'number', isPinned && 'pinned'].filter(Boolean).join(' ') || undefined;

/** Selects every row that is listed, or none. */
export function SelectAll({ acts }: { acts: SelectionActs }): ReactNode {
  return (
    <th role="columnheader" scope="col" className="select">
      <label className="select-box">
        <input
          ref={(box) => {
            if (box) box.indeterminate = acts.state === 'some';
          }}
          type="checkbox"
          checked={acts.state === 'all'}
          onChange={acts.toggleAll}
          aria-label="Select all rows shown"
        />
      </label>
    </th>
  );
}
