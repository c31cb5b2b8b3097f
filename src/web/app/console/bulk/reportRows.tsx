import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { Table } from '../../ui/index.js';
import type { BulkRow } from './useBulk.js';

/** Rows of a report that are shown. */
const SHOWN_MAX = 50;

/** The records that a command did not change, each with the reason. */
export function ReportRows({ rows }: { rows: readonly BulkRow[] }): ReactNode {
  const shown = rows.slice(0, SHOWN_MAX).map((row, nth) => ({ ...row, nth }));
  if (shown.length === 0) return null;
  return (
    <>
      <Table
        caption="Not changed"
        rows={shown}
        rowKey={({ nth }) => String(nth)}
        empty={null}
        columns={[
          {
            header: 'Lead',
            cell: ({ lead_id }) =>
              lead_id === null ? (
                'Deleted'
              ) : (
                <Link href={`/leads/${lead_id}`}>{lead_id.slice(0, 8)}</Link>
              ),
          },
          { header: 'Reason', cell: ({ message }) => message },
        ]}
      />
      {rows.length > SHOWN_MAX && <p>{rows.length - SHOWN_MAX} more are not listed here.</p>}
    </>
  );
}
