import { useState, type ClipboardEvent, type KeyboardEvent } from 'react';
import { editAt, typed, withEdit, type CellPlace, type Edits } from './edits.js';
import type { GridColumn, GridProps } from './grid.js';

/** A cell by its place in what is shown. */
export interface At {
  row: number;
  column: number;
}

export interface GridKeys {
  active: At;
  /** The cell whose text is typed now. */
  editing: (At & { text: string; isReplaced: boolean }) | null;
  /** Grows whenever the active cell shall have the focus. */
  wanted: number;
  /** The cell has the focus already. */
  isAt(at: At): void;
  /** The active cell takes the focus. */
  focus(): void;
  /** @param text what it begins with; absent: the text of the cell */
  begin(at: At, text?: string): void;
  /** Ends editing. @param move where the next cell is; null: the focus is elsewhere already */
  commit(text: string, move: { rows: number; columns: number } | null): void;
  cancel(): void;
  paste(at: At, text: string): void;
  onKeyDown(event: KeyboardEvent<HTMLElement>): void;
  onPaste(event: ClipboardEvent<HTMLElement>): void;
  onCopy(event: ClipboardEvent<HTMLElement>): void;
}

/** Rows that Page Up and Page Down skip. */
const PAGE = 10;

/** How far a key goes, by rows and columns; with Ctrl, to the end. */
const STEPS = new Map<string, readonly [rows: number, columns: number]>([
  ['ArrowUp', [-1, 0]],
  ['ArrowDown', [1, 0]],
  ['ArrowLeft', [0, -1]],
  ['ArrowRight', [0, 1]],
  ['PageUp', [-PAGE, 0]],
  ['PageDown', [PAGE, 0]],
  ['Home', [0, -Infinity]],
  ['End', [0, Infinity]],
  ['Ctrl Home', [-Infinity, -Infinity]],
  ['Ctrl End', [Infinity, Infinity]],
  ['Ctrl ArrowUp', [-Infinity, 0]],
  ['Ctrl ArrowDown', [Infinity, 0]],
]);

/** The keyboard and the clipboard of a grid, as in a spreadsheet. */
export function useGridKeys<R>(props: GridProps<R>): GridKeys {
  const { columns, rows, edits, onEdit, onUndo, isReadOnly = false, start } = props;
  const [active, setActive] = useState<At>(() => placeOf(props, start) ?? { row: 0, column: 0 });
  const [editing, setEditing] = useState<GridKeys['editing']>(() => {
    const at = isReadOnly ? null : placeOf(props, start);
    return at && { ...at, text: textAt(props, at), isReplaced: false };
  });
  const clamp = (at: At): At => ({
    row: Math.max(0, Math.min(rows.length - 1, at.row)),
    column: Math.max(0, Math.min(columns.length - 1, at.column)),
  });
  const here = clamp(active);
  const kindAt = ({ row, column }: At) =>
    isReadOnly || !rows[row] ? undefined : columns[column]?.edit;
  const [wanted, setWanted] = useState(0);
  const goTo = (at: At): void => {
    setActive(clamp(at));
    setWanted((before) => before + 1);
  };
  const begin = (at: At, text?: string): void => {
    const kind = kindAt(at);
    setActive(at);
    if (!kind) return;
    if (kind.kind === 'flag') write(at, kind.write(textAt(props, at) !== kind.write(true)));
    else setEditing({ ...at, text: text ?? textAt(props, at), isReplaced: text !== undefined });
  };
  const write = (at: At, text: string): void => onEdit(writtenAt(props, edits, at, text));
  const paste = (at: At, text: string): void => {
    if (isReadOnly) return;
    setEditing(null);
    const lines = text.replace(/\r?\n$/, '').split(/\r?\n/);
    const cells = lines.flatMap((line, down) =>
      line
        .split('\t')
        .map((cell, right) => ({ at: { row: at.row + down, column: at.column + right }, cell })),
    );
    const known = cells.filter(({ at: place }) => kindAt(place));
    onEdit(known.reduce((all, { at: place, cell }) => writtenAt(props, all, place, cell), edits));
    goTo(at);
  };
  const clear = (): void => {
    const kind = kindAt(here);
    const [row, column] = [rows[here.row], columns[here.column]];
    if (!kind || !row || !column || kind.read('').fault !== undefined) return;
    onEdit(writtenAt(props, edits, here, ''));
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    if (editing || isInside(event)) return;
    const { key, ctrlKey, metaKey, altKey } = event;
    const isCommand = ctrlKey || metaKey;
    const step = altKey ? undefined : STEPS.get(isCommand ? `Ctrl ${key}` : key);
    if (isCommand && key.toLowerCase() === 'z') onUndo?.();
    else if (step) goTo({ row: here.row + step[0], column: here.column + step[1] });
    else if (key === 'Enter' || key === 'F2') enter(event, kindAt(here) ? () => begin(here) : null);
    else if (key === 'Delete' || key === 'Backspace') clear();
    else if (key === ' ' && kindAt(here)?.kind === 'flag') begin(here);
    else if (isPrintable(event) && kindAt(here) && kindAt(here)?.kind !== 'flag')
      begin(here, kindAt(here)?.kind === 'choice' ? undefined : key);
    else return;
    event.preventDefault();
    // The keys of the page are not meant.
    event.stopPropagation();
  };
  return {
    active: here,
    editing,
    wanted,
    isAt: setActive,
    focus: () => goTo(here),
    begin,
    commit(text, move) {
      const at = editing;
      setEditing(null);
      if (!at) return;
      write(at, text);
      if (move) goTo(nextPlace(at, move, columns));
    },
    cancel() {
      setEditing(null);
      goTo(here);
    },
    paste,
    onKeyDown,
    onPaste(event) {
      if (editing || isInside(event)) return;
      event.preventDefault();
      paste(here, event.clipboardData.getData('text/plain'));
    },
    onCopy(event) {
      if (editing || isInside(event) || String(getSelection()) !== '') return;
      event.preventDefault();
      event.clipboardData.setData('text/plain', textAt(props, here));
    },
  };
}

/** A button or a field inside a cell has keys of its own. */
const isInside = ({
  target,
  currentTarget,
}: {
  target: EventTarget;
  currentTarget: EventTarget;
}): boolean =>
  target !== currentTarget &&
  target instanceof HTMLElement &&
  target.matches('button, input, select, textarea, summary, a');

/** Without something to edit, the first button or link of the cell is pressed. */
function enter({ target }: KeyboardEvent<HTMLElement>, edit: (() => void) | null): void {
  if (edit) edit();
  else if (target instanceof HTMLElement) target.querySelector<HTMLElement>('button, a')?.click();
}

const isPrintable = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  key.length === 1 && key !== ' ' && !ctrlKey && !metaKey && !altKey;

function placeOf<R>(
  { columns, rows, rowKey }: GridProps<R>,
  place: CellPlace | null | undefined,
): At | null {
  if (!place) return null;
  const row = rows.findIndex((one) => rowKey(one) === place.row);
  const column = columns.findIndex(({ id }) => id === place.column);
  return row < 0 || column < 0 ? null : { row, column };
}

/** The text of a cell as it stands in the grid. */
function textAt<R>({ columns, rows, rowKey, edits }: GridProps<R>, at: At): string {
  const [row, column] = [rows[at.row], columns[at.column]];
  if (!row || !column) return '';
  const edit = editAt(edits, { row: rowKey(row), column: column.id });
  const value = column.value(row);
  return edit?.text ?? column.edit?.write(value) ?? (typeof value === 'string' ? value : '');
}

function writtenAt<R>(
  { columns, rows, rowKey }: GridProps<R>,
  edits: Edits,
  at: At,
  text: string,
): Edits {
  const [row, column] = [rows[at.row], columns[at.column]];
  if (!row || !column?.edit) return edits;
  const place = { row: rowKey(row), column: column.id };
  const before = editAt(edits, place);
  return withEdit(edits, place, typed(column.edit, column.value(row), text, before));
}

/** Tab goes to the next column that is edited, and from the last one to the next row. */
function nextPlace<R>(
  { row, column }: At,
  { rows, columns: right }: { rows: number; columns: number },
  columns: readonly GridColumn<R>[],
): At {
  if (right === 0) return { row: row + rows, column };
  const edited = columns.flatMap(({ edit }, n) => (edit ? [n] : []));
  const next = edited.indexOf(column) + right;
  const down = next < 0 ? -1 : next >= edited.length ? 1 : 0;
  return { row: row + down, column: edited.at(next % edited.length) ?? column };
}
