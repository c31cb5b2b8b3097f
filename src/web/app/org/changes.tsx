import { useState, type ReactNode } from 'react';
import { termName } from '../buyer/terms/values.js';
import { useFilters } from '../lib/route.js';
import { useCan } from '../lib/session.js';
import {
  Badge,
  Button,
  EmptyState,
  Loaded,
  Page,
  Pager,
  Select,
  Table,
  Time,
  Written,
  type Tone,
} from '../ui/index.js';
import { usePages, type ChangeRequest } from './calls.js';
import { ChangeDialog } from './changeDialog.js';

const STATES: Record<ChangeRequest['state'], { label: string; tone: Tone }> = {
  pending: { label: 'Waiting', tone: 'warning' },
  approved: { label: 'Approved', tone: 'good' },
  refused: { label: 'Refused', tone: 'bad' },
  stale: { label: 'Out of date', tone: 'neutral' },
  withdrawn: { label: 'Withdrawn', tone: 'neutral' },
};

const isState = (text: string | undefined): text is ChangeRequest['state'] =>
  text !== undefined && Object.hasOwn(STATES, text);

/** The changes that partners request; each is approved or refused once. */
export default function Changes(): ReactNode {
  const [{ state = 'pending' }, change] = useFilters(['state']);
  const requests = usePages('list_change_requests', {
    limit: 50,
    ...(isState(state) ? { state } : {}),
  });
  const may = useCan('resolve_change_request');
  const [shown, setShown] = useState<ChangeRequest | null>(null);
  return (
    <Page title="Change requests">
      <div className="filters">
        <Select
          label="State"
          name="state"
          value={state}
          onChange={({ target }) => change({ state: target.value })}
          options={[
            ...Object.entries(STATES).map(([value, { label }]) => ({ value, label })),
            { value: 'all', label: 'All' },
          ]}
        />
      </div>
      <Loaded of={requests}>
        {(rows) => (
          <>
            <Table
              caption="Change requests"
              rows={rows}
              rowKey={({ id }) => id}
              empty={<EmptyState title="No request is in this state" />}
              columns={[
                {
                  key: 'partner',
                  header: 'Partner',
                  cell: ({ party }) => <Written>{party.name ?? 'Deleted'}</Written>,
                },
                {
                  key: 'campaign',
                  header: 'Campaign',
                  cell: ({ campaign }) => (
                    <Written>{campaign ? (campaign.name ?? 'Deleted') : 'All'}</Written>
                  ),
                },
                {
                  key: 'terms',
                  header: 'Terms',
                  cell: ({ changes }) => changes.map(({ name }) => termName(name)).join(', '),
                },
                {
                  key: 'at',
                  header: 'Asked',
                  cell: ({ requested_at }) => <Time at={requested_at} />,
                },
                {
                  key: 'state',
                  header: 'State',
                  cell: (request) => (
                    <Badge tone={STATES[request.state].tone}>{STATES[request.state].label}</Badge>
                  ),
                },
                {
                  key: 'open',
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
            <Pager {...requests} />
          </>
        )}
      </Loaded>
      <ChangeDialog request={shown} mayDecide={may} onClose={() => setShown(null)} />
    </Page>
  );
}
