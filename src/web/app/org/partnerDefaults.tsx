import type { ReactNode } from 'react';
import { useParams } from 'wouter';
import { Loaded, Page } from '../ui/index.js';
import { Unknown } from '../shell/unknown.js';
import { isSide, useCall, type Side } from './calls.js';
import { PortalForm } from './portalForm.js';

/** The settings of the portals of all buyers, or of all suppliers, unless a partner has its own. */
export default function PartnerDefaults(): ReactNode {
  const { side } = useParams();
  return isSide(side) ? <Defaults side={side} /> : <Unknown />;
}

function Defaults({ side }: { side: Side }): ReactNode {
  const portal = useCall('get_portal_settings', { side });
  return (
    <Page
      title={`Portals of all ${side}s`}
      intro="These settings apply unless a partner has its own."
    >
      <Loaded of={portal}>{(settings) => <PortalForm portal={settings} place={{ side }} />}</Loaded>
    </Page>
  );
}
