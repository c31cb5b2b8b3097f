/** What the lists of buyers and of suppliers share: a search, a filter by state, and how many have a portal. */
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useFilters } from '../../lib/route.js';
import { useCan } from '../../lib/session.js';
import { Page, Select } from '../../ui/index.js';
import { CreateParty } from './createParty.js';
import './parties.css';
import { SearchBox } from './searchBox.js';
import type { Side } from './types.js';

const STATES = [
  { value: '', label: 'Any state' },
  { value: 'active', label: 'Active' },
  { value: 'paused', label: 'Paused' },
];

interface PartyListPageProps {
  side: Side;
  title: string;
  /** Beside the states. */
  children: (filter: {
    search: string;
    status?: 'active' | 'paused';
    archived: boolean;
  }) => ReactNode;
}

export function PartyListPage({ side, title, children }: PartyListPageProps): ReactNode {
  const [{ search = '', status, archived }, change] = useFilters(['search', 'status', 'archived']);
  const mayReadPortals = useCan('get_portal_settings');
  const figures = useCan('get_lead_stats');
  const isState = status === 'active' || status === 'paused';
  return (
    <Page
      title={title}
      how={{
        action: side === 'buyer' ? 'list_buyers' : 'list_suppliers',
        input: {
          search: search === '' ? undefined : search,
          status: isState ? status : undefined,
          figures,
          limit: 50,
        },
      }}
      actions={
        <>
          {mayReadPortals && (
            <Link className="button secondary" href={`/portals/${side}`}>
              Portal defaults
            </Link>
          )}
          <CreateParty side={side} />
        </>
      }
    >
      <div className="filters">
        <SearchBox
          label={`Search ${side}s by name`}
          value={search}
          onChange={(text) => change({ search: text })}
        />
        <Select
          label="State"
          name="status"
          options={STATES}
          value={isState ? status : ''}
          onChange={({ target }) => change({ status: target.value })}
        />
        {side === 'buyer' && (
          <label className="check-inline">
            <input
              type="checkbox"
              checked={archived === '1'}
              onChange={({ target }) => change({ archived: target.checked ? '1' : '' })}
            />
            Show archived
          </label>
        )}
      </div>
      {children({ search, status: isState ? status : undefined, archived: archived === '1' })}
    </Page>
  );
}
