import { useVirtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useRef, type ReactNode } from 'react';
import { editAt } from './edits.js';
import type { GridColumn, GridProps } from './grid.js';
import { CellEditor, ShownCell } from './gridCell.js';
import { useGridKeys, type GridKeys } from './useGridKeys.js';

/** Two lines: the value, and its use below. */
const ROW_PX = 48;

/** The rows as a table: those out of sight are not in the page. */
export function GridTable<R>(props: GridProps<R>): ReactNode {
  const { caption, columns, rows, rowKey } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const keys = useGridKeys(props);
  const { active, editing } = keys;
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    // The head covers the first row of the view.
    scrollPaddingStart: ROW_PX,
    overscan: 6,
    initialOffset: editing ? editing.row * ROW_PX : 0,
  });
  const isEditing = editing !== null;
  const { row: activeRow, column: activeColumn } = active;
  useLayoutEffect(() => {
    if (keys.wanted === 0 || isEditing) return;
    const focusCell = (): boolean => {
      const cell = scroller.current?.querySelector<HTMLElement>(
        `[data-cell="${activeRow}:${activeColumn}"]`,
      );
      cell?.focus({ preventScroll: true });
      cell?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
      return cell != null;
    };
    virtual.scrollToIndex(activeRow);
    // At once: what is typed next belongs to this cell. A row that was out of sight is drawn first.
    if (focusCell()) return;
    const drawn = requestAnimationFrame(focusCell);
    return () => cancelAnimationFrame(drawn);
  }, [keys.wanted, isEditing, activeRow, activeColumn, virtual]);
  const shown = virtual.getVirtualItems();
  const above = shown[0]?.start ?? 0;
  const below = virtual.getTotalSize() - (shown.at(-1)?.end ?? 0);
  const isActiveShown = shown.some(({ index }) => index === activeRow);
  return (
    <div
      ref={scroller}
      className="grid-scroll"
      role="region"
      aria-label={caption}
      // The active cell is the way in; where it is out of sight, it is drawn first.
      tabIndex={isActiveShown ? -1 : 0}
      onFocus={({ target, currentTarget }) => target === currentTarget && keys.focus()}
    >
      <table
        role="grid"
        className="grid"
        aria-label={caption}
        aria-rowcount={rows.length + 1}
        aria-readonly={props.isReadOnly || undefined}
        onKeyDown={keys.onKeyDown}
        onPaste={keys.onPaste}
        onCopy={keys.onCopy}
      >
        <thead>
          <tr aria-rowindex={1}>
            {columns.map((column) => (
              <Head key={column.id} column={column} {...props} />
            ))}
          </tr>
        </thead>
        <tbody>
          <Spacer height={above} span={columns.length} />
          {shown.map(({ index }) => {
            const row = rows[index];
            return (
              row && (
                <tr key={rowKey(row)} aria-rowindex={index + 2}>
                  {columns.map((column, n) => (
                    <Cell
                      key={column.id}
                      grid={props}
                      keys={keys}
                      column={column}
                      row={row}
                      at={{ row: index, column: n }}
                    />
                  ))}
                </tr>
              )
            );
          })}
          <Spacer height={below} span={columns.length} />
        </tbody>
      </table>
    </div>
  );
}

/** In the place of the rows that are out of sight. */
const Spacer = ({ height, span }: { height: number; span: number }): ReactNode =>
  height > 0 && (
    <tr role="presentation" className="grid-spacer">
      <td
        role="presentation"
        colSpan={span}
        ref={(cell) => {
          if (cell) cell.style.height = `${height}px`;
        }}
      />
    </tr>
  );

type HeadProps<R> = Pick<GridProps<R>, 'order' | 'onOrder'> & { column: GridColumn<R> };

function Head<R>({ column, order, onOrder }: HeadProps<R>): ReactNode {
  const { id, header, about, isNumber, sortValue, isActs } = column;
  const className = isNumber ? 'number' : isActs ? 'cell-acts' : undefined;
  if (!sortValue || !onOrder)
    return (
      <th scope="col" className={className} title={about}>
        {isActs ? <span className="hidden">{header}</span> : header}
      </th>
    );
  const isOrdered = order?.column === id;
  const isDescending = isOrdered && order.isDescending;
  const direction = isDescending ? 'descending' : 'ascending';
  return (
    <th scope="col" className={className} aria-sort={isOrdered ? direction : 'none'} title={about}>
      <button
        type="button"
        className="sort"
        onClick={() => onOrder({ column: id, isDescending: isOrdered && !isDescending })}
      >
        {header}
        <span aria-hidden="true">{isOrdered ? (isDescending ? ' ↓' : ' ↑') : ''}</span>
      </button>
    </th>
  );
}

interface CellProps<R> {
  grid: GridProps<R>;
  keys: GridKeys;
  column: GridColumn<R>;
  row: R;
  at: { row: number; column: number };
}

function Cell<R>({ grid, keys, column, row, at }: CellProps<R>): ReactNode {
  const { rowKey, rowName, edits, faultAt, isClash, isReadOnly = false } = grid;
  const place = { row: rowKey(row), column: column.id };
  const edit = editAt(edits, place);
  const fault = edit?.fault ?? (edit && faultAt?.(place));
  const isActive = keys.active.row === at.row && keys.active.column === at.column;
  const isEdited =
    keys.editing !== null && keys.editing.row === at.row && keys.editing.column === at.column;
  const { edit: kind } = column;
  const classes = [
    column.isNumber && 'number',
    column.isActs && 'cell-acts',
    kind && !isReadOnly && 'cell-edited-here',
    edit && 'cell-changed',
    fault !== undefined && 'cell-faulty',
    isClash?.(place) && 'cell-clash',
    isEdited && 'cell-open',
  ];
  const Tag = at.column === 0 ? 'th' : 'td';
  return (
    <Tag
      role={at.column === 0 ? 'rowheader' : 'gridcell'}
      scope={at.column === 0 ? 'row' : undefined}
      className={classes.filter(Boolean).join(' ') || undefined}
      data-cell={`${at.row}:${at.column}`}
      tabIndex={isActive ? 0 : -1}
      aria-readonly={kind && !isReadOnly ? undefined : true}
      aria-invalid={fault === undefined ? undefined : true}
      title={fault}
      // A button inside the cell that takes the focus leaves the way into the grid where it is.
      onFocus={({ target, currentTarget }) =>
        target === currentTarget && !isActive && keys.isAt(at)
      }
      onMouseDown={(event) => {
        // The first click chooses the cell, the second edits it.
        if (!kind || isReadOnly || isEdited) return;
        if (document.activeElement !== event.currentTarget) return;
        event.preventDefault();
        keys.begin(at);
      }}
    >
      {isEdited && kind && keys.editing ? (
        <CellEditor
          kind={kind}
          label={`${column.header}, ${rowName(row)}`}
          text={keys.editing.text}
          isReplaced={keys.editing.isReplaced}
          onDone={keys.commit}
          onCancel={keys.cancel}
          onPasteCells={(text) => keys.paste(at, text)}
        />
      ) : (
        <ShownCell
          column={column}
          row={row}
          edit={edit}
          fault={fault}
          isClash={isClash?.(place) ?? false}
        />
      )}
    </Tag>
  );
}
