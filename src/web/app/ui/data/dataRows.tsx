import type { Row } from '@tanstack/react-table';
import type { MouseEvent, ReactNode, Ref } from 'react';
import { Link } from 'wouter';
import type { DataColumn } from './columns.js';
import type { Features, Item } from './features.js';
import { classOf } from './head.js';
import type { SelectionActs } from './selection.js';

export interface RowsProps<R> {
  rows: readonly Row<Features, Item<R>>[];
  columns: readonly DataColumn<R>[];
  rowHref?(row: R): string;
  isOpenable: boolean;
  open(key: string): void;
  acts: SelectionActs | null;
  /** The row that Tab reaches. */
  current: string | undefined;
  activeKey?: string;
  onFocus(key: string): void;
}

export const PlainRows = <R,>(props: RowsProps<R>): ReactNode => (
  <tbody role="rowgroup">
    {props.rows.map((row) => (
      <DataRow key={row.id} {...props} row={row} />
    ))}
  </tbody>
);

interface DataRowProps<R> extends RowsProps<R> {
  row: Row<Features, Item<R>>;
  /** Of a row of a virtual list, counted from 0. */
  index?: number;
  measure?: Ref<HTMLTableRowElement>;
}

export function DataRow<R>(props: DataRowProps<R>): ReactNode {
  const { row, index, columns, acts, activeKey } = props;
  const isReachable = props.isOpenable || acts !== null;
  // A row with a link of its own has the link as its stop; `j` and `k` reach the row all the same.
  const isStop = props.rowHref === undefined;
  return (
    <tr
      ref={props.measure}
      role="row"
      data-key={row.id}
      data-index={index}
      aria-rowindex={index === undefined ? undefined : index + 2}
      aria-current={row.id === activeKey || undefined}
      className={rowClass(props)}
      tabIndex={isReachable ? (isStop && props.current === row.id ? 0 : -1) : undefined}
      onFocus={() => props.onFocus(row.id)}
      onClick={(event) => {
        if (props.isOpenable && isPlainClick(event)) props.open(row.id);
      }}
    >
      {acts && (
        <td role="cell" className="select">
          <SelectBox acts={acts} id={row.id} />
        </td>
      )}
      {columns.map((column) => (
        <td key={column.id} role="cell" className={classOf(column)} data-label={column.header}>
          <CellOf column={column} row={row.original.record} href={props.rowHref} />
        </td>
      ))}
    </tr>
  );
}

function rowClass<R>({ row, isOpenable, acts }: DataRowProps<R>): string | undefined {
  const names = [isOpenable && 'openable', acts?.isSelected(row.id) && 'selected'];
  return names.filter(Boolean).join(' ') || undefined;
}

/** Not on a control of the row, and not the end of selecting text. */
function isPlainClick({ target, defaultPrevented }: MouseEvent): boolean {
  if (defaultPrevented || !(target instanceof Element)) return false;
  if (target.closest('a, button, input, label, select, summary') !== null) return false;
  return getSelection()?.isCollapsed !== false;
}

interface CellProps<R> {
  column: DataColumn<R>;
  row: R;
  href?(row: R): string;
}

function CellOf<R>({ column, row, href }: CellProps<R>): ReactNode {
  const content = column.cell(row);
  if (!column.isPinned || !href) return content;
  return (
    <Link className="row-link" href={href(row)}>
      {content}
    </Link>
  );
}

function SelectBox({ acts, id }: { acts: SelectionActs; id: string }): ReactNode {
  return (
    <label className="select-box">
      <input
        type="checkbox"
        checked={acts.isSelected(id)}
        aria-label="Select row"
        // The click has the Shift key, the change has not.
        onChange={() => undefined}
        onClick={(event) => acts.toggle(id, event.shiftKey)}
      />
    </label>
  );
}
