import { useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import { useFormats } from '../../lib/format.js';
import { Badge, Button, Checkbox, EmptyState, Table, type Tone } from '../../ui/index.js';
import { download } from '../download.js';
import { shortId } from '../leadLink.js';
import type { ImportReport } from '../types.js';
import { csvOf } from './csv.js';

type Line = ImportReport['report'][number];

const RESULT: Record<Line['result'], readonly [string, Tone]> = {
  done: ['Recorded', 'good'],
  would_do: ['Would be recorded', 'info'],
  refused: ['Refused', 'bad'],
  unknown: ['Not known: send it again', 'warning'],
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
          { key: 'line', header: 'Line', isNumber: true, cell: ({ line }) => number(line) },
          { key: 'result', header: 'Result', cell: (line) => <Result of={line.result} /> },
          { key: 'lead', header: 'Lead', cell: ({ lead_id }) => <LeadOf id={lead_id} /> },
          { key: 'path', header: 'Column', cell: ({ path }) => path && <code>{path}</code> },
          { key: 'message', header: 'What is wrong', cell: ({ message }) => message },
        ]}
      />
      {lines.length > SHOWN && (
        <p className="muted">
          The first {number(SHOWN)} of {number(lines.length)} rows. The download holds all.
        </p>
      )}
    </>
  );
}

function Result({ of }: { of: Line['result'] }): ReactNode {
  const [text, tone] = RESULT[of];
  return <Badge tone={tone}>{text}</Badge>;
}

const LeadOf = ({ id }: { id: string | null }): ReactNode =>
  id !== null && <Link href={`/leads/${encodeURIComponent(id)}`}>{shortId(id)}</Link>;
