import type { ReactNode } from 'react';
import { useParams } from 'wouter';
import { useCall } from '../../lib/useActions.js';
import { Unknown } from '../../shell/unknown.js';
import { Loaded, Page } from '../../ui/index.js';
import { PortalForm } from './portalForm.js';
import { isSide, type Side } from './types.js';

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
    </Page>
  );
}
