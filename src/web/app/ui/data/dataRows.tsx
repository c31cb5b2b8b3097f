import type { Row } from '@tanstack/react-table';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useImperativeHandle, type MouseEvent, type ReactNode, type Ref } from 'react';
import { Link } from 'wouter';
import type { DataColumn } from './columns.js';
import type { Features, Item } from './dataTable.js';
import { classOf } from './head.js';
import type { SelectionActs } from './selection.js';

export type ScrollTo = (index: number) => void;

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

interface VirtualRowsProps<R> extends RowsProps<R> {
  region: HTMLElement | null;
  scrollTo: Ref<ScrollTo>;
}

const ROW_PIXELS = 36;
/** Drawn beyond those in sight, so that scrolling shows no gap. */
const OVERSCAN = 12;

/** Only the rows in sight are drawn; the room of the others is kept. */
export function VirtualRows<R>({ region, scrollTo, ...props }: VirtualRowsProps<R>): ReactNode {
  const virtual = useVirtualizer({
    count: props.rows.length,
    getScrollElement: () => region,
    estimateSize: () => ROW_PIXELS,
    getItemKey: (index) => props.rows[index]?.id ?? index,
    overscan: OVERSCAN,
  });
  useImperativeHandle(scrollTo, () => (index: number) => virtual.scrollToIndex(index));
  const items = virtual.getVirtualItems();
  const before = items[0]?.start ?? 0;
  const after = virtual.getTotalSize() - (items.at(-1)?.end ?? 0);
  return (
    <tbody role="rowgroup">
      <Gap height={before} />
      {items.map(({ index }) => {
        const row = props.rows[index];
        return (
          row && (
            <DataRow
              key={row.id}
              {...props}
              row={row}
              index={index}
              measure={virtual.measureElement}
            />
          )
        );
      })}
      <Gap height={after} />
    </tbody>
  );
}

const Gap = ({ height }: { height: number }): ReactNode =>
  height > 0 && (
    <tr role="presentation" className="gap">
      <td
        role="presentation"
        ref={(cell) => {
          if (cell) cell.style.height = `${height}px`;
        }}
      />
    </tr>
  );

interface DataRowProps<R> extends RowsProps<R> {
  row: Row<Features, Item<R>>;
  /** Of a row of a virtual list, counted from 0. */
  index?: number;
  measure?: Ref<HTMLTableRowElement>;
}

function DataRow<R>(props: DataRowProps<R>): ReactNode {
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
        // The change of a box tells no key; the click that makes it does.
        onChange={() => undefined}
        onClick={(event) => acts.toggle(id, event.shiftKey)}
      />
    </label>
  );
}
