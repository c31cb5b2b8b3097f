import type { ReactNode } from 'react';
import { Checkbox, Field } from '../../ui/index.js';
import { CSV_COLUMNS, STANDARD_COLUMNS } from './csvColumns.js';

/** The columns of a file of leads, to choose from: a box that is ticked is named as its column. */
export default function CsvFields(): ReactNode {
  return (
    <>
      <fieldset className="csv-columns">
        <legend>Columns</legend>
        {CSV_COLUMNS.map(([name, label]) => (
          <Checkbox
            key={name}
            label={label}
            name={name}
            defaultChecked={STANDARD_COLUMNS.has(name)}
          />
        ))}
      </fieldset>
      <Field
        label="Further fields"
        name="fields"
        dir="ltr"
        maxLength={2_000}
        hint="Names of fields of the campaign, separated by commas, such as homeowner, zip"
      />
    </>
  );
}
