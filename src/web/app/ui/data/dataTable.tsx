import { useTable, type ColumnDef } from '@tanstack/react-table';
import { lazy, Suspense, useMemo, useRef, useState, type ReactNode } from 'react';
import type { Pages } from '../../lib/useCalls.js';
import { Paged } from '../table.js';
import { ColumnChooser } from './columnChooser.js';
import type { DataColumn } from './columns.js';
import './data.css';
import { PlainRows, type RowsProps } from './dataRows.js';
import type Rows from './virtualRows.js';
import type { ScrollTo } from './virtualRows.js';
import { FEATURES, type Features, type Item } from './features.js';
import { HeadCell, SelectAll } from './head.js';
import { useNamedColumns } from './namedColumns.js';
import { useRowKeys } from './rowKeys.js';
import { useSelectionActs, type Selection } from './selection.js';

export interface DataTableProps<R> {
  /** Read aloud. */
  caption: string;
  columns: readonly DataColumn<R>[];
  rows: readonly R[];
  rowKey(row: R): string;
  /** By click, and by Enter on a row; opens the detail beside the list, or leaves for it. */
  onOpen?(row: NoInfer<R>): void;
  /** The row's own address: the pinned column links to it, so that it opens in a new tab too. */
  rowHref?(row: NoInfer<R>): string;
  selection?: Selection;
  /** Shown in place of a table without rows. */
  empty: ReactNode;
  /** Under which this browser keeps the choice of columns; without it there is none. */
  storageKey?: string;
  /** The row whose detail is shown. */
  activeKey?: string;
  /** Left of the choice of columns: a count, a switch. */
  toolbar?: ReactNode;
}

// A component of any row: `lazy` would fix the type of the rows.
const VirtualRows = lazy(() => import('./virtualRows.js')) as unknown as typeof Rows;

/** Rows from which on only those in sight are drawn. */
const VIRTUAL_ABOVE = 100;

/** A list of records: dense, sortable where it is whole, used by keyboard, as cards where it is narrow. */
export function DataTable<R>(props: DataTableProps<R>): ReactNode {
  const { caption, columns, rows, rowKey, empty, storageKey, toolbar } = props;
  // State, not a ref: rows that are drawn by what is in sight need it on their first drawing.
  const [region, setRegion] = useState<HTMLDivElement | null>(null);
  const scrollTo = useRef<ScrollTo | null>(null);
  const choice = useNamedColumns(columns, storageKey);
  const table = useTable({
    features: FEATURES,
    columns: useMemo(() => columns.map((column) => definitionOf(column)), [columns]),
    data: useMemo(() => rows.map((record) => ({ record })), [rows]),
    getRowId: ({ record }) => rowKey(record),
    enableMultiSort: false,
    state: {
      columnVisibility: Object.fromEntries(columns.map(({ id }) => [id, choice.shown.has(id)])),
    },
  });
  const listed = table.getRowModel().rows;
  const keys = listed.map(({ id }) => id);
  const acts = useSelectionActs(props.selection, keys);
  const open = props.onOpen;
  const openKey = (key: string): void => {
    const row = listed.find(({ id }) => id === key);
    if (row && open) open(row.original.record);
    else region?.querySelector<HTMLElement>(`tr[data-key="${CSS.escape(key)}"] a`)?.click();
  };
  const { current, onFocus } = useRowKeys({
    keys,
    table: region,
    show: (index) => scrollTo.current?.(index),
    open: openKey,
    select: acts?.toggle,
    activeKey: props.activeKey,
  });
  if (rows.length === 0) return empty;

  const shown = columns.filter(({ id }) => choice.shown.has(id));
  const body: RowsProps<R> = {
    rows: listed,
    columns: shown,
    rowHref: props.rowHref,
    isOpenable: open !== undefined || props.rowHref !== undefined,
    open: openKey,
    acts,
    current,
    activeKey: props.activeKey,
    onFocus,
  };
  const isVirtual = rows.length > VIRTUAL_ABOVE;
  return (
    <div className="data-table">
      {(storageKey !== undefined || toolbar !== undefined) && (
        <div className="data-table-tools">
          <div className="data-table-toolbar">{toolbar}</div>
          {storageKey !== undefined && <ColumnChooser columns={columns} choice={choice} />}
        </div>
      )}
      <div
        ref={setRegion}
        data-row-keys
        className="data-table-scroll"
        role="region"
        aria-label={caption}
        tabIndex={0}
      >
        <table role="table" aria-rowcount={isVirtual ? rows.length + 1 : undefined}>
          <caption className="hidden">{caption}</caption>
          <thead role="rowgroup">
            <tr role="row" aria-rowindex={isVirtual ? 1 : undefined}>
              {acts && <SelectAll acts={acts} />}
              {table.getFlatHeaders().map(({ column }) => {
                const own = shown.find(({ id }) => id === column.id);
                return own && <HeadCell key={own.id} own={own} column={column} />;
              })}
            </tr>
          </thead>
          {isVirtual ? (
            <Suspense>
              <VirtualRows {...body} region={region} scrollTo={scrollTo} />
            </Suspense>
          ) : (
            <PlainRows {...body} />
          )}
        </table>
      </div>
    </div>
  );
}

function definitionOf<R>({ id, sortValue }: DataColumn<R>): ColumnDef<Features, Item<R>> {
  const valueOf = ({ record }: Item<R>) => sortValue?.(record);
  return {
    id,
    accessorFn: valueOf,
    enableSorting: sortValue !== undefined,
    sortDescFirst: false,
    sortFn: (a, b) => compare(valueOf(a.original), valueOf(b.original)),
  };
}

type Sortable = string | number | null | undefined;

/** What is unknown comes first. */
function compare(a: Sortable, b: Sortable): number {
  if (a == null || b == null) return Number(a != null) - Number(b != null);
  return typeof a === 'number' && typeof b === 'number'
    ? a - b
    : String(a).localeCompare(String(b), 'en');
}

interface PagedDataTableProps<R> extends Omit<DataTableProps<R>, 'rows'> {
  of: Pages<readonly R[]>;
}

/** A page of a long list, and the way to the others. */
export const PagedDataTable = <R,>({ of, ...table }: PagedDataTableProps<R>): ReactNode => (
  <Paged of={of}>{(rows) => <DataTable {...table} rows={rows} />}</Paged>
);
