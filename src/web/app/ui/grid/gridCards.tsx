import { useId, useState, type ReactNode } from 'react';
import { Button } from '../button.js';
import { editAt, typed, withEdit } from './edits.js';
import type { GridColumn, GridProps } from './grid.js';

/** Cards that are in the page at once: a phone does not hold the fields of five hundred. */
const CARDS = 20;

/** The rows as cards with forms, where the page is too narrow for a table. */
export default function GridCards<R>(props: GridProps<R>): ReactNode {
  const { caption, rows, rowKey, start } = props;
  const from = start ? rows.findIndex((row) => rowKey(row) === start.row) : -1;
  const [shown, setShown] = useState(Math.max(CARDS, from + 1));
  return (
    <section className="grid-cards" aria-label={caption}>
      <ul>
        {rows.slice(0, shown).map((row) => (
          <li key={rowKey(row)}>
            <Card {...props} row={row} />
          </li>
        ))}
      </ul>
      {shown < rows.length && (
        <Button onClick={() => setShown(shown + CARDS)}>
          Show {Math.min(CARDS, rows.length - shown)} more of {rows.length - shown}
        </Button>
      )}
    </section>
  );
}

function Card<R>(props: GridProps<R> & { row: R }): ReactNode {
  const { row, columns, rowKey, rowName, edits, start } = props;
  const key = rowKey(row);
  const [name, ...others] = columns;
  const changed = edits.get(key)?.size ?? 0;
  const acts = others.filter(({ isActs }) => isActs);
  const facts = others.filter(({ edit, isActs }) => !edit && !isActs);
  const edited = others.filter(({ edit }) => edit);
  return (
    <article className={changed > 0 ? 'grid-card card-changed' : 'grid-card'}>
      <header>
        <h2>{name?.show ? name.show(name.value(row), row) : rowName(row)}</h2>
        {acts.map((column) => (
          <span key={column.id}>{column.show?.(column.value(row), row)}</span>
        ))}
      </header>
      <dl className="card-facts">
        {facts.map((column) => (
          <div key={column.id}>
            <dt>{column.header}</dt>
            <dd>{column.show ? column.show(column.value(row), row) : String(column.value(row))}</dd>
          </div>
        ))}
      </dl>
      <details open={start?.row === key || undefined}>
        <summary>{changed > 0 ? `Terms · ${changed} changed` : 'Terms'}</summary>
        <div className="card-fields">
          {edited.map((column) => (
            <CardField key={column.id} {...props} column={column} />
          ))}
        </div>
      </details>
    </article>
  );
}

/** One value of a card. It is kept when the field is left, as in a cell. */
function CardField<R>(props: GridProps<R> & { row: R; column: GridColumn<R> }): ReactNode {
  const { row, column, rowKey, edits, onEdit, faultAt, isReadOnly, start } = props;
  const id = useId();
  const { edit: kind, header } = column;
  if (!kind) return null;
  const place = { row: rowKey(row), column: column.id };
  const edit = editAt(edits, place);
  const text = edit?.text ?? kind.write(column.value(row));
  const fault = edit?.fault ?? (edit && faultAt?.(place));
  const write = (given: string): void => {
    if (given !== text) onEdit(withEdit(edits, place, typed(kind, column.value(row), given, edit)));
  };
  const isFirst = start?.row === place.row && start.column === place.column;
  const shared = {
    id,
    disabled: isReadOnly,
    'aria-invalid': fault === undefined ? undefined : true,
    'aria-describedby': fault === undefined ? undefined : `${id}-fault`,
    autoFocus: isFirst,
  };
  const options = kind.options ?? (kind.kind === 'flag' ? YES_NO : undefined);
  return (
    <div className={edit ? 'field card-field card-field-changed' : 'field card-field'}>
      <label htmlFor={id}>{header}</label>
      {options ? (
        <select {...shared} value={text} onChange={({ target }) => write(target.value)}>
          {options.map((option) => (
            <option key={option.value} value={option.label}>
              {option.label}
            </option>
          ))}
        </select>
      ) : (
        <input
          {...shared}
          key={text}
          dir="auto"
          autoComplete="off"
          inputMode={kind.kind === 'number' || kind.kind === 'money' ? 'decimal' : undefined}
          defaultValue={text}
          onFocus={isFirst ? ({ target }) => target.select() : undefined}
          onBlur={({ target }) => write(target.value)}
          onKeyDown={({ key, currentTarget }) => key === 'Enter' && write(currentTarget.value)}
        />
      )}
      {column.beside?.(row)}
      {edit && <p className="hint">Was {kind.write(edit.from) || 'empty'}</p>}
      {fault !== undefined && (
        <p id={`${id}-fault`} className="fault">
          {fault}
        </p>
      )}
    </div>
  );
}

const YES_NO = [
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
];
