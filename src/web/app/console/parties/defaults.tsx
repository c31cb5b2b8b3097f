import type { ReactNode } from 'react';
import { Link, useParams } from 'wouter';
import { useCall, usePages } from '../../lib/useActions.js';
import { Unknown } from '../../shell/unknown.js';
import { EmptyState, Loaded, Page, PagedTable, Section, Time, Written } from '../../ui/index.js';
import { PortalForm } from './portalForm.js';
import { isSide, type Side } from './types.js';
import { pathOf } from './words.js';

/** What all buyers or all suppliers see in their portals, unless one has settings of its own. */
export default function PortalDefaults(): ReactNode {
  const { side } = useParams();
  return isSide(side) ? <Defaults key={side} side={side} /> : <Unknown />;
}

function Defaults({ side }: { side: Side }): ReactNode {
  const portal = useCall('get_portal_settings', { side });
  return (
    <Page
      title={`Portals of all ${side}s`}
      how={{ action: 'get_portal_settings', input: { side } }}
      crumbs={[{ href: `/${side}s`, label: side === 'buyer' ? 'Buyers' : 'Suppliers' }]}
      intro={`These settings apply to every ${side} that has none of its own.`}
      tabs={[
        { href: '/portals/buyer', label: 'Buyers' },
        { href: '/portals/supplier', label: 'Suppliers' },
      ]}
    >
      <Loaded of={portal} shape="cards">
        {(settings) => <PortalForm portal={settings} place={{ side }} />}
      </Loaded>
      <Section title="Open portals">
        <OpenPortals side={side} />
      </Section>
    </Page>
  );
}

function OpenPortals({ side }: { side: Side }): ReactNode {
  const portals = usePages('list_portals', { side, limit: 50 });
  return (
    <PagedTable
      of={portals}
      caption={`Open portals of ${side}s`}
      rowKey={({ party }) => party.id}
      empty={
        <EmptyState title="No portal is open">
          Open one on the page of a {side}, under Portal.
        </EmptyState>
      }
      columns={[
        {
          header: side === 'buyer' ? 'Buyer' : 'Supplier',
          cell: ({ party }) =>
            party.name === null ? (
              'Deleted'
            ) : (
              <Link href={pathOf(side, party.id, 'portal')}>
                <Written>{party.name}</Written>
              </Link>
            ),
        },
        { header: 'Changed', cell: ({ updated_at }) => <Time at={updated_at} isRelative /> },
      ]}
    />
  );
}
