import type { ReactNode } from 'react';
import { useFilters } from '../../lib/route.js';
import { usePages, type InputOf } from '../../lib/useActions.js';
import { EmptyState, Page, Time } from '../../ui/index.js';
import {
  FilterBar,
  PagedDataTable,
  SidePanel,
  useDaySpan,
  WithPanel,
  type DataColumn,
} from '../../ui/data/index.js';
import './admin.css';
import { Entry, Outcome, RecordLinks, Who, type AuditEntry } from './auditEntry.js';
import { AUDIT_FILTER_BAR, AUDIT_FILTERS } from './auditFilters.js';
import { actionWords, recordLinks } from './auditWords.js';

const COLUMNS: readonly DataColumn<AuditEntry>[] = [
  {
    id: 'action',
    header: 'What',
    isPinned: true,
    cell: ({ action }) => actionWords(action),
  },
  { id: 'at', header: 'When', cell: ({ at }) => <Time at={at} /> },
  { id: 'by', header: 'By', cell: (entry) => <Who of={entry} /> },
  { id: 'records', header: 'On', cell: (entry) => <RecordLinks of={recordLinks(entry)} /> },
  { id: 'outcome', header: 'Result', cell: (entry) => <Outcome of={entry} /> },
];

/** Who changed what, and who read data of people. */
export default function Audit(): ReactNode {
  const [filters, change] = useFilters([...AUDIT_FILTERS, 'entry'] as const);
  const { from, to } = useDaySpan(filters.days);
  const input: InputOf<'list_audit'> = {
    of: filters.of === 'reads' ? 'reads' : 'changes',
    // What the address has is checked by the service.
    action: filters.action as InputOf<'list_audit'>['action'],
    by: filters.by,
    record_id: filters.record_id,
    date_from: from,
    date_to: to,
    limit: 50,
  };
  const entries = usePages('list_audit', input);
  const open = entries.data?.find(({ id }) => id === filters.entry);
  return (
    <Page
      title="Audit"
      how={{ action: 'list_audit', input }}
      intro="Every call that changed something, and every answer that showed personal data. Changes are kept for two years, reads for one."
    >
      <FilterBar
        filters={AUDIT_FILTER_BAR}
        values={filters}
        onChange={(values) => change({ ...values, entry: '' })}
      />
      <WithPanel
        panel={
          open && (
            <SidePanel title={actionWords(open.action)} onClose={() => change({ entry: '' })}>
              <Entry of={open} />
            </SidePanel>
          )
        }
      >
        <PagedDataTable
          of={entries}
          caption="Calls, newest first"
          columns={COLUMNS}
          rowKey={({ id }) => id}
          onOpen={({ id }) => change({ entry: id })}
          activeKey={open?.id}
          storageKey="audit"
          empty={
            <EmptyState title="Nothing was recorded">
              No call fits these filters. Entries of before records were kept are found without the
              filter for a record.
            </EmptyState>
          }
        />
      </WithPanel>
    </Page>
  );
}
