/** What a grid is made of. */
import type { ReactNode } from 'react';
import type { CellKind, CellValue } from './cells.js';
import type { CellPlace, Edits } from './edits.js';

export interface GridColumn<R> {
  /** The name of the value in actions. */
  id: string;
  header: string;
  /** What the column means, for people who hover or hear its head. */
  about?: string;
  /** How its cells are edited; absent: they are not. */
  edit?: CellKind;
  value(row: R): CellValue;
  /** The value as it is shown; default: as it is written. */
  show?(value: CellValue, row: R): ReactNode;
  /** Below the value, such as the use of a cap. */
  beside?(row: R): ReactNode;
  /** Rows are sorted by it. */
  sortValue?(row: R): string | number;
  isNumber?: boolean;
  /** Buttons of the row: without a head that is sorted. */
  isActs?: boolean;
}

export interface GridOrder {
  column: string;
  isDescending: boolean;
}

export interface GridProps<R> {
  /** Read aloud. */
  caption: string;
  columns: readonly GridColumn<R>[];
  rows: readonly R[];
  rowKey(row: R): string;
  /** Names the row for people who hear it. */
  rowName(row: R): string;
  edits: Edits;
  onEdit(edits: Edits): void;
  /** Takes the last edit back. */
  onUndo?(): void;
  /** Why the service refused a cell. */
  faultAt?(place: CellPlace): string | undefined;
  /** Others have changed this cell since it was edited. */
  isClash?(place: CellPlace): boolean;
  order?: GridOrder | null;
  onOrder?(order: GridOrder): void;
  /** The cell that is edited at first, as an address names it. */
  start?: CellPlace | null;
  isReadOnly?: boolean;
  empty: ReactNode;
}
