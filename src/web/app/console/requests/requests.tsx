import { GitPullRequestArrow } from 'lucide-react';
import type { ReactNode } from 'react';
import { termName } from '../../buyer/terms/values.js';
import { CHANGE_OPTIONS, ChangeStatus } from '../../buyer/words.js';
import { useFilters } from '../../lib/route.js';
import { useCan } from '../../lib/session.js';
import { useCall, usePages } from '../../lib/useActions.js';
import { Button, EmptyState, Page, PagedTable, Time, Written } from '../../ui/index.js';
import type { ChangeRequest } from '../parties/types.js';
import { ChangeDialog } from './changeDialog.js';
import { PartyName } from '../names.js';

const STATES = [...CHANGE_OPTIONS, { value: 'all', label: 'All' }];

const isState = (text: string): text is ChangeRequest['state'] =>
  CHANGE_OPTIONS.some(({ value }) => value === text);

/** The changes that partners request; each is approved or refused once. */
export default function Requests(): ReactNode {
  const [{ state = 'pending', request: id }, change] = useFilters(['state', 'request']);
  const input = {
    limit: 50,
    state: isState(state) ? state : undefined,
  };
  const requests = usePages('list_change_requests', input);
  const shown = useCall(
    'list_change_requests',
    { request_id: id ?? '' },
    { isOff: id === undefined },
  );
  const may = useCan('resolve_change_request');
  return (
    <Page
      title="Change requests"
      how={{ action: 'list_change_requests', input }}
      intro="What buyers and suppliers ask to have changed. Approving one changes the terms at once."
    >
      <div className="filters" role="group" aria-label="State">
        {STATES.map(({ value, label }) => (
          <Button
            key={value}
            kind={value === state ? 'primary' : 'secondary'}
            aria-pressed={value === state}
            onClick={() => change({ state: value })}
          >
            {label}
          </Button>
        ))}
      </div>
      <PagedTable
        of={requests}
        caption="Change requests"
        rowKey={({ id: key }) => key}
        empty={
          <EmptyState title="No requests in this state" icon={GitPullRequestArrow}>
            The people of a portal ask for other prices, caps, states and filters, or to pause.
          </EmptyState>
        }
        columns={[
          { header: 'Partner', cell: ({ party }) => <PartyName party={party} /> },
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
          {
            header: 'Requested',
            cell: ({ requested_at }) => <Time at={requested_at} isRelative />,
          },
          { header: 'State', cell: (request) => <ChangeStatus of={request.state} /> },
          {
            header: 'Actions',
            cell: (request) => (
              <Button kind="quiet" onClick={() => change({ request: request.id })}>
                {may && request.state === 'pending' ? 'Decide' : 'Show'}
                <span className="hidden"> the request of {request.party.name}</span>
              </Button>
            ),
          },
        ]}
      />
      <ChangeDialog
        isOpen={id !== undefined}
        of={shown}
        mayDecide={may}
        onClose={() => change({ request: '' })}
      />
    </Page>
  );
}
