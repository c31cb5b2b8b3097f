import { useState, type ReactNode } from 'react';
import { notSent } from '../../lib/api.js';
import { useWrite, type ImportReport } from '../calls.js';
import { Code, Field, Form, Page, Section, TextArea } from '../../ui/index.js';
import { formText } from '../../lib/formValues.js';
import { Report } from './report.js';

/** In UTF-8, as the service counts them. */
const MAX_BYTES = 1_048_576;
const EXAMPLE = `lead_id,outcome,conversion_revenue,lead_value,note
2d3f9a60-7a3d-4a53-9a51-0f2b6c9e7d10,converted,120,4800,signed
8f14e45f-ceea-467f-9575-3c1f0a9b2f11,not_qualified,,,moved away
`;

/** Reports the outcomes of many leads at once, from a file of the buyer's own system. */
export default function Outcomes(): ReactNode {
  const [report, setReport] = useState<ImportReport | null>(null);
  return (
    <Page
      title="Import outcomes"
      intro={<p>Report the outcomes of up to 1,000 leads with one CSV file.</p>}
    >
      <Section title="File">
        <ImportForm onReport={setReport} />
      </Section>
      {report && (
        <Section title="Report">
          <Report report={report} />
        </Section>
      )}
      <Section title="File format">
        <p>
          The first row must contain column names. Identify each lead by <code>lead_id</code>, or by{' '}
          <code>campaign_id</code> with <code>phone</code>, <code>email</code> or{' '}
          <code>click_id</code>. <code>outcome</code> is <code>converted</code>,{' '}
          <code>not_qualified</code> or <code>pending</code>.
        </p>
        <Code label="Example" text={EXAMPLE} />
      </Section>
    </Page>
  );
}

function ImportForm({ onReport }: { onReport(report: ImportReport | null): void }): ReactNode {
  const importing = useWrite('import_outcomes');
  const submit = async (values: FormData, isDry: boolean): Promise<void> => {
    onReport(null);
    onReport(await importing.run({ csv: await csvOf(values), dry_run: isDry }));
  };
  return (
    <Form
      onSubmit={(values) => submit(values, values.get('act') !== 'import')}
      write={importing}
      acts={[
        ['check', 'Check only'],
        ['import', 'Import', 'primary'],
      ]}
    >
      <Field label="CSV file" name="file" type="file" accept=".csv,text/csv,text/plain" />
      <TextArea
        label="Or paste CSV"
        name="csv"
        hint="Used if no file is chosen"
        rows={6}
        spellCheck={false}
        dir="ltr"
      />
    </Form>
  );
}

/** The lines to send. A file that is too large is not read. @throws {ApiError} why there is nothing to send */
async function csvOf(values: FormData): Promise<string> {
  const file = values.get('file');
  const isFile = file instanceof File && file.size > 0;
  const lines = isFile ? file : new Blob([formText(values, 'csv')]);
  if (lines.size === 0) throw notSent('csv', 'Choose a file or paste CSV.');
  if (lines.size > MAX_BYTES)
    throw notSent('csv', 'The file is larger than 1 MB. Split it into several.');
  return lines.text();
}
