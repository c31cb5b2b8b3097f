import { useRef, useState, type ReactNode } from 'react';
import type { Pages } from '../lib/useCalls.js';
import { Button } from './button.js';
import { Loaded } from './states.js';

export interface Column<R> {
  /** Unique in its table. */
  header: string;
  cell(row: R): ReactNode;
  /** Right-aligned. */
  isNumber?: boolean;
  /** Rows are sorted by it in the page: only for whole lists, never for a page of a longer one. */
  sortValue?(row: R): string | number;
}

interface TableProps<R> {
  columns: readonly Column<R>[];
  rows: readonly R[];
  rowKey(row: R): string;
  /** Read aloud. */
  caption: string;
  /** Shown in place of a table without rows. */
  empty: ReactNode;
}

interface Order {
  /** Of the column. */
  header: string;
  isDescending: boolean;
}

/** A list of rows. Wider than the page, it scrolls by itself, by keyboard too. */
export function Table<R>(props: TableProps<R>): ReactNode {
  const { columns, rows, rowKey, caption, empty } = props;
  const [order, setOrder] = useState<Order | null>(null);
  if (rows.length === 0) return empty;
  return (
    <div className="table-scroll" role="region" aria-label={caption} tabIndex={0}>
      <table>
        <caption className="hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <Header key={column.header} column={column} order={order} onOrder={setOrder} />
            ))}
          </tr>
        </thead>
        <tbody>
          {sorted(rows, columns, order).map((row) => (
            <tr key={rowKey(row)}>
              {columns.map(({ header, cell, isNumber }) => (
                <td key={header} className={isNumber ? 'number' : undefined}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface HeaderProps<R> {
  column: Column<R>;
  order: Order | null;
  onOrder(order: Order): void;
}

function Header<R>({ column, order, onOrder }: HeaderProps<R>): ReactNode {
  const { header, isNumber, sortValue } = column;
  const className = isNumber ? 'number' : undefined;
  if (!sortValue) {
    return (
      <th scope="col" className={className}>
        {header}
      </th>
    );
  }
  const isOrdered = order?.header === header;
  const isDescending = isOrdered && order.isDescending;
  const direction = isDescending ? 'descending' : 'ascending';
  return (
    <th scope="col" className={className} aria-sort={isOrdered ? direction : 'none'}>
      <button
        type="button"
        className="sort"
        onClick={() => onOrder({ header, isDescending: isOrdered && !isDescending })}
      >
        {header}
        <span aria-hidden="true">{isOrdered ? (isDescending ? ' ↓' : ' ↑') : ' ↕'}</span>
      </button>
    </th>
  );
}

function sorted<R>(
  rows: readonly R[],
  columns: readonly Column<R>[],
  order: Order | null,
): readonly R[] {
  const valueOf = columns.find(({ header }) => header === order?.header)?.sortValue;
  if (!order || !valueOf) return rows;
  const sign = order.isDescending ? -1 : 1;
  return rows.toSorted((a, b) => sign * compare(valueOf(a), valueOf(b)));
}

const compare = (a: string | number, b: string | number): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b), 'en');

interface PagerProps {
  page: number;
  next: (() => void) | null;
  previous: (() => void) | null;
  isLoading?: boolean;
}

/** To the next page of a long list and back, each from its beginning; nothing where there is one page only. */
export function Pager({ page, next, previous, isLoading = false }: PagerProps): ReactNode {
  const pager = useRef<HTMLElement>(null);
  if (!next && !previous) return null;
  const turn = (go: (() => void) | null): void => {
    go?.();
    const before = pager.current?.previousElementSibling;
    // A table takes the focus; a list of cards leaves it at the button.
    const table = before instanceof HTMLElement && before.tabIndex >= 0 ? before : null;
    table?.focus({ preventScroll: true });
    (table ?? pager.current?.parentElement)?.scrollIntoView({ block: 'start' });
  };
  return (
    <nav ref={pager} className="pager" aria-label="Pages">
      <Button isBusy={!previous} onClick={() => turn(previous)}>
        Previous
      </Button>
      <span role="status">{isLoading ? 'Loading…' : `Page ${page}`}</span>
      <Button isBusy={!next} onClick={() => turn(next)}>
        Next
      </Button>
    </nav>
  );
}

interface PagedProps<T> {
  of: Pages<T>;
  children: (data: T) => ReactNode;
}

/** A page of a long list, and the way to the others. */
export const Paged = <T,>({ of, children }: PagedProps<T>): ReactNode => (
  <Loaded of={of}>
    {(data) => (
      <>
        {children(data)}
        <Pager {...of} />
      </>
    )}
  </Loaded>
);

interface PagedTableProps<R> extends Omit<TableProps<R>, 'rows'> {
  of: Pages<readonly R[]>;
}

export const PagedTable = <R,>({ of, ...table }: PagedTableProps<R>): ReactNode => (
  <Paged of={of}>{(rows) => <Table {...table} rows={rows} />}</Paged>
);
