import { useEffect, useRef, type KeyboardEvent, type ReactNode } from 'react';
import type { CellKind } from './cells.js';
import type { Edit } from './edits.js';
import type { GridColumn } from './grid.js';

interface EditorProps {
  kind: CellKind;
  label: string;
  text: string;
  /** The typed text replaces the cell's: nothing is selected. */
  isReplaced?: boolean;
  /** The text as it is when the person goes on, and where to. */
  onDone(text: string, move: { rows: number; columns: number } | null): void;
  onCancel(): void;
  onPasteCells?(text: string): void;
}

/** The field in a cell that is edited. */
export function CellEditor(props: EditorProps): ReactNode {
  const { kind, label, text, isReplaced = false, onDone, onCancel, onPasteCells } = props;
  const field = useRef<HTMLInputElement & HTMLSelectElement>(null);
  /** Leaving the field by a key must not commit it again when it loses the focus. */
  const isOver = useRef(false);
  useEffect(() => {
    field.current?.focus();
    if (!isReplaced && kind.kind !== 'choice') field.current?.select();
  }, [isReplaced, kind.kind]);
  const done = (move: { rows: number; columns: number } | null): void => {
    if (isOver.current) return;
    isOver.current = true;
    onDone(field.current?.value ?? text, move);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    event.stopPropagation();
    // A word that is still being composed ends with Enter, too.
    if (event.nativeEvent.isComposing) return;
    const step = event.shiftKey ? -1 : 1;
    if (event.key === 'Enter') done({ rows: step, columns: 0 });
    else if (event.key === 'Tab') done({ rows: 0, columns: step });
    else if (event.key === 'Escape') {
      isOver.current = true;
      onCancel();
    } else return;
    event.preventDefault();
  };
  const shared = { ref: field, 'aria-label': label, onKeyDown, onBlur: () => done(null) };
  if (kind.kind === 'choice')
    return (
      <select {...shared} className="cell-field" defaultValue={kind.read(text).fault ? '' : text}>
        {kind.options?.map((option) => (
          <option key={option.value} value={option.label}>
            {option.label}
          </option>
        ))}
      </select>
    );
  const isNumber = kind.kind === 'number' || kind.kind === 'money';
  return (
    <input
      {...shared}
      className={isNumber ? 'cell-field number' : 'cell-field'}
      dir="auto"
      autoComplete="off"
      inputMode={isNumber ? 'decimal' : undefined}
      defaultValue={text}
      onPaste={(event) => {
        const pasted = event.clipboardData.getData('text/plain');
        if (!onPasteCells || !/[\t\n]/.test(pasted.trimEnd())) return;
        event.preventDefault();
        isOver.current = true;
        onPasteCells(pasted);
      }}
    />
  );
}

interface ShownProps<R> {
  column: GridColumn<R>;
  row: R;
  edit: Edit | undefined;
  fault: string | undefined;
  isClash: boolean;
}

/** A cell at rest: its value, what stands beside it, and marks of a change, a clash or a fault. */
export function ShownCell<R>({ column, row, edit, fault, isClash }: ShownProps<R>): ReactNode {
  const was = shownValue(column, row, column.value(row));
  return (
    <>
      <span className="cell-value">
        {edit ? editedValue(column, row, edit) : was}
        {edit && (
          <span className="hidden">
            , changed, was {shownValue(column, row, edit.from)}
            {isClash && <>, others have set it to {was}</>}
          </span>
        )}
      </span>
      {fault !== undefined && <span className="hidden">, {fault}</span>}
      {column.beside?.(row)}
    </>
  );
}

function editedValue<R>(column: GridColumn<R>, row: R, edit: Edit): ReactNode {
  if (edit.fault !== undefined) return edit.text === '' ? '–' : edit.text;
  return shownValue(column, row, edit.to);
}

function shownValue<R>({ show, edit }: GridColumn<R>, row: R, value: unknown): ReactNode {
  if (show) return show(value, row);
  const text = edit ? edit.write(value) : plainText(value);
  return text === '' ? <span className="muted">–</span> : <bdi>{text}</bdi>;
}

const plainText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';
