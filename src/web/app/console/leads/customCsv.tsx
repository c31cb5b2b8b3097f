import type { ReactNode } from 'react';
import { useCsv } from '../../lib/csvButton.js';
import { formText } from '../../lib/formValues.js';
import type { InputOf } from '../../lib/useActions.js';
import { Checkbox, Field, FormButton, useToast } from '../../ui/index.js';
import { CSV_COLUMNS, STANDARD_COLUMNS } from './csvColumns.js';

/** Saves the leads of the list as a CSV file with the columns that one chooses. */
export function CustomCsv({ input }: { input: InputOf<'export_leads'> }): ReactNode {
  const file = useCsv('export_leads');
  const toast = useToast();
  return (
    <FormButton
      button="Custom CSV"
      kind="quiet"
      title="Download leads with chosen columns"
      submit="Download CSV"
      write={file}
      run={(values) => file.run({ ...input, fields: fieldsIn(values) })}
      onDone={() => toast('The file is saved.')}
    >
      <p className="muted">Every lead that matches the filters; the lead ID is the first column.</p>
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
    </FormButton>
  );
}

/** The chosen columns, then the typed fields; one that is named twice counts once. */
function fieldsIn(values: FormData): string[] {
  const chosen = CSV_COLUMNS.flatMap(([name]) => (values.has(name) ? [name] : []));
  const typed = formText(values, 'fields')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  return [...new Set([...chosen, ...typed])];
}
