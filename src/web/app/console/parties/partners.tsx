import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useFilters } from '../../lib/route.js';
import { EmptyState, Filter, Page, PagedTable, Section, Time, Written } from '../../ui/index.js';
import { usePages } from '../../lib/useActions.js';
import type { Pages } from '../../lib/useCalls.js';
import type { Side } from './types.js';

const SIDES = [
  { value: 'buyer', label: 'Buyers' },
  { value: 'supplier', label: 'Suppliers' },
];

/** Buyers or suppliers: which portals are open, and links to each partner's settings. */
export default function Partners(): ReactNode {
  const [{ side: given }, change] = useFilters(['side']);
  const side: Side = given === 'supplier' ? 'supplier' : 'buyer';
  return (
    <Page
      title="Partners"
      intro="Buyers and suppliers use a self-service portal once you open it for them."
    >
      <div className="filters">
        <Filter label="Show" name="side" options={SIDES} filters={{ side }} onChange={change} />
        <Link className="button" href={`/partners/${side}`}>
          Settings for all {side}s
        </Link>
      </div>
      <Section title="Open portals">
        <OpenPortals key={side} side={side} />
      </Section>
      <Section title={side === 'buyer' ? 'All buyers' : 'All suppliers'}>
        <Parties key={side} side={side} />
      </Section>
    </Page>
  );
}

const PAGE = { limit: 50 };

function OpenPortals({ side }: { side: Side }): ReactNode {
  const portals = usePages('list_portals', { side, ...PAGE });
  return (
    <PagedTable
      of={portals}
      caption="Open portals"
      rowKey={({ party }) => party.id}
      empty={
        <EmptyState title="No portal is open">
          Choose a partner below, and open its portal.
        </EmptyState>
      }
      columns={[
        { header: 'Partner', cell: ({ party }) => <PartnerLink side={side} {...party} /> },
        { header: 'Open since', cell: ({ created_at }) => <Time at={created_at} isDay /> },
        { header: 'Changed', cell: ({ updated_at }) => <Time at={updated_at} /> },
      ]}
    />
  );
}

function Parties({ side }: { side: Side }): ReactNode {
  const parties: Pages<readonly { id: string; name: string }[]> = usePages(
    side === 'buyer' ? 'list_buyers' : 'list_suppliers',
    PAGE,
  );
  return (
    <PagedTable
      of={parties}
      caption={side === 'buyer' ? 'Buyers' : 'Suppliers'}
      rowKey={({ id }) => id}
      empty={<EmptyState title={`There are no ${side}s yet`} />}
      columns={[{ header: 'Name', cell: (party) => <PartnerLink side={side} {...party} /> }]}
    />
  );
}

interface PartnerLinkProps {
  side: Side;
  id: string;
  name: string | null;
}

function PartnerLink({ side, id, name }: PartnerLinkProps): ReactNode {
  return (
    <Link href={`/partners/${side}/${id}`}>
      <Written>{name ?? 'Deleted partner'}</Written>
    </Link>
  );
}
