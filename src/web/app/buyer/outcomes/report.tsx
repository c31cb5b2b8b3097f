import { useState, type ReactNode } from 'react';
import { csvLine } from '../../../../lib/csv/writeRow.js';
import { useFormats } from '../../lib/format.js';
import { Button, Checkbox, EmptyState, Table, WordBadge, type Word } from '../../ui/index.js';
import { ShortLead } from '../leadLink.js';
import type { ImportReport } from '../calls.js';

type Line = ImportReport['report'][number];

const RESULT: Record<Line['result'], Word> = {
  done: ['Recorded', 'good'],
  would_do: ['Would be recorded', 'info'],
  refused: ['Refused', 'bad'],
  unknown: ['Unknown: import it again', 'warning'],
};
const SHOWN = 200;

/** The result of each line of a file. */
export function Report({ report }: { report: ImportReport }): ReactNode {
  const { number } = useFormats();
  const [isOnlyRefused, setIsOnlyRefused] = useState(false);
  const lines = isOnlyRefused
    ? report.report.filter(({ result }) => result === 'refused' || result === 'unknown')
    : report.report;
  const isCheck = report.report.some(({ result }) => result === 'would_do');
  return (
    <>
      <p role="status">
        {number(report.rows)} {report.rows === 1 ? 'row' : 'rows'}: {number(report.done)}{' '}
        {isCheck && 'would be '}recorded, {number(report.refused)} refused.
      </p>
      <div className="actions">
        <Button onClick={() => download('outcomes-report.csv', csvOf(report.report))}>
          Download the report
        </Button>
      </div>
      <Checkbox
        label="Only rows that were not recorded"
        name="refused"
        checked={isOnlyRefused}
        onChange={(event) => setIsOnlyRefused(event.target.checked)}
      />
      <Table
        caption="Report by line"
        rows={lines.slice(0, SHOWN)}
        rowKey={({ line }) => String(line)}
        empty={<EmptyState title="Every row was recorded" />}
        columns={[
          { header: 'Line', isNumber: true, cell: ({ line }) => number(line) },
          { header: 'Result', cell: (line) => <WordBadge of={RESULT[line.result]} /> },
          { header: 'Lead', cell: ({ lead_id }) => lead_id && <ShortLead id={lead_id} /> },
          { header: 'Column', cell: ({ path }) => path && <code>{path}</code> },
          { header: 'Problem', cell: ({ message }) => message },
        ]}
      />
      {lines.length > SHOWN && (
        <p className="muted">
          Showing {number(SHOWN)} of {number(lines.length)} rows. The download has all of them.
        </p>
      )}
    </>
  );
}

const COLUMNS = ['line', 'result', 'lead_id', 'path', 'code', 'message'] as const;

/** The report of an import as a file that spreadsheets open. */
const csvOf = (lines: readonly Line[]): string =>
  [COLUMNS, ...lines.map((line) => COLUMNS.map((name) => line[name]))].map(csvLine).join('');

/** Saves a text that the page holds as a file. */
function download(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
