import type { ReactNode } from 'react';
import { Table } from '../../ui/index.js';
import type { Change } from '../types.js';
import { Shown, termName } from './values.js';

interface ChangeTableProps extends Pick<Change, 'changes'> {
  /** Names the request, where a page has several. */
  of?: string;
}

/** The differences: the present terms and the requested ones. */
export function ChangeTable({ changes, of }: ChangeTableProps): ReactNode {
  return (
    <Table
      caption={of === undefined ? 'Before and after' : `Before and after, ${of}`}
      rows={changes}
      rowKey={({ name }) => name}
      empty={<p className="muted">No changes.</p>}
      columns={[
        { header: 'Term', cell: ({ name }) => termName(name) },
        { header: 'Before', cell: ({ name, before }) => <Shown name={name} value={before} /> },
        { header: 'After', cell: ({ name, after }) => <Shown name={name} value={after} /> },
      ]}
    />
  );
}
