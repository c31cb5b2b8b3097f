import { useState, type ReactNode } from 'react';
import { termName } from '../../buyer/terms/values.js';
import { CHANGE_OPTIONS, ChangeStatus } from '../../buyer/words.js';
import { useFilters } from '../../lib/route.js';
import { useCan } from '../../lib/session.js';
import { Button, EmptyState, Filter, Page, PagedTable, Time, Written } from '../../ui/index.js';
import { usePages } from '../../lib/useActions.js';
import type { ChangeRequest } from '../parties/types.js';
import { ChangeDialog } from './changeDialog.js';

const isState = (text: string): text is ChangeRequest['state'] =>
  CHANGE_OPTIONS.some(({ value }) => value === text);

/** The changes that partners request; each is approved or refused once. */
export default function Changes(): ReactNode {
  const [{ state = 'pending' }, change] = useFilters(['state']);
  const requests = usePages('list_change_requests', {
    limit: 50,
    state: isState(state) ? state : undefined,
  });
  const may = useCan('resolve_change_request');
  const [shown, setShown] = useState<ChangeRequest | null>(null);
  return (
    <Page title="Change requests">
      <div className="filters">
        <Filter
          label="State"
          name="state"
          filters={{ state }}
          onChange={change}
          options={[...CHANGE_OPTIONS, { value: 'all', label: 'All' }]}
        />
      </div>
      <PagedTable
        of={requests}
        caption="Change requests"
        rowKey={({ id }) => id}
        empty={<EmptyState title="No requests in this state" />}
        columns={[
          {
            header: 'Partner',
            cell: ({ party }) => <Written>{party.name ?? 'Deleted'}</Written>,
          },
          {
            header: 'Campaign',
            cell: ({ campaign }) => (
              <Written>{campaign ? (campaign.name ?? 'Deleted') : 'All'}</Written>
            ),
          },
          {
            header: 'Terms',
            cell: ({ changes }) => changes.map(({ name }) => termName(name)).join(', '),
          },
          { header: 'Requested', cell: ({ requested_at }) => <Time at={requested_at} /> },
          {
            header: 'State',
            cell: (request) => <ChangeStatus of={request.state} />,
          },
          {
            header: 'Actions',
            cell: (request) => (
              <Button kind="quiet" onClick={() => setShown(request)}>
                {may && request.state === 'pending' ? 'Decide' : 'Show'}
                <span className="hidden"> the request of {request.party.name}</span>
              </Button>
            ),
          },
        ]}
      />
      <ChangeDialog request={shown} mayDecide={may} onClose={() => setShown(null)} />
    </Page>
  );
}
