import type { ReactNode } from 'react';
import type { DataColumn, ShownColumns } from './columns.js';
import { DropDown } from './dropDown.js';

interface ColumnChooserProps {
  columns: readonly Pick<DataColumn<never>, 'id' | 'header' | 'isPinned'>[];
  choice: ShownColumns;
}

/** Which columns a table shows. */
export function ColumnChooser({ columns, choice }: ColumnChooserProps): ReactNode {
  const toggle = (id: string): void => {
    const next = new Set(choice.shown);
    if (!next.delete(id)) next.add(id);
    choice.onChange(next);
  };
  return (
    <DropDown label="Columns" className="button quiet">
      <fieldset className="choices">
        <legend className="hidden">Columns</legend>
        {columns
          .filter(({ isPinned }) => !isPinned)
          .map(({ id, header }) => (
            <label key={id} className="choice">
              <input type="checkbox" checked={choice.shown.has(id)} onChange={() => toggle(id)} />
              {header}
            </label>
          ))}
        {choice.isChanged && (
          <button type="button" className="button quiet" onClick={choice.reset}>
            Reset columns
          </button>
        )}
      </fieldset>
    </DropDown>
  );
}
