import { lazy, Suspense, type ReactNode } from 'react';
import { useCsv } from '../../lib/csvButton.js';
import { formText } from '../../lib/formValues.js';
import type { InputOf } from '../../lib/useActions.js';
import { FormButton, Skeleton, useToast } from '../../ui/index.js';

const CsvFields = lazy(() => import('./csvFields.js'));

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
      run={(values) => file.run({ ...input, fields: columnsIn(values) })}
      onDone={() => toast('The file is saved.')}
    >
      <p className="muted">Every lead that matches the filters; the lead ID is the first column.</p>
      <Suspense fallback={<Skeleton lines={6} />}>
        <CsvFields />
      </Suspense>
    </FormButton>
  );
}

/** The ticked columns, then the typed fields; one that is named twice counts once. */
function columnsIn(values: FormData): string[] {
  const ticked = [...values].flatMap(([name, value]) => (value === 'on' ? [name] : []));
  const typed = formText(values, 'fields')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  return [...new Set([...ticked.filter((name) => name !== 'fields'), ...typed])];
}
