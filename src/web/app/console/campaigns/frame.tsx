/** What every screen of one campaign has: where it is, its state, the tabs, and the acts on the whole. */
import type { ReactNode } from 'react';
import { useCall, type OutputOf } from '../../lib/useActions.js';
import { useCan } from '../../lib/session.js';
import { Loaded, Page, type TabLink } from '../../ui/index.js';
import type { HowMenuProps } from '../../shell/howProps.js';
import { CampaignActs } from './acts.js';
import { StatusChip } from './words.js';
import './campaigns.css';

export type Campaign = OutputOf<'get_campaign'>;

/** One campaign, with its fields, buyers and suppliers; screens that show it share what was read. */
export const useCampaign = (id: string) => useCall('get_campaign', { campaign_id: id });

interface CampaignFrameProps {
  id: string;
  /** The action that has the data of the screen; default: the campaign itself. */
  how?: HowMenuProps;
  /** Buttons of the screen, before those of the campaign. */
  actions?: ReactNode;
  children(campaign: Campaign): ReactNode;
}

/** Crumbs, the name with its state, pause or resume, and the tabs; the screen stands below them. */
export function CampaignFrame({ id, how, actions, children }: CampaignFrameProps): ReactNode {
  const campaign = useCampaign(id);
  const tabs = useTabs(id, campaign.data);
  const { data } = campaign;
  return (
    <Page
      title={data?.name ?? 'Campaign'}
      status={data && <StatusChip status={data.status} />}
      crumbs={[{ href: '/campaigns', label: 'Campaigns' }]}
      how={how ?? { action: 'get_campaign', input: { campaign_id: id } }}
      actions={
        data && (
          <>
            {actions}
            <CampaignActs campaign={data} />
          </>
        )
      }
      tabs={tabs}
    >
      <Loaded of={campaign} shape="cards">
        {children}
      </Loaded>
    </Page>
  );
}

function useTabs(id: string, campaign: Campaign | undefined): TabLink[] {
  const at = `/campaigns/${encodeURIComponent(id)}`;
  const canTest = useCan('send_test_lead');
  const canPreview = useCan('preview_routing');
  const tabs: (TabLink & { isShown?: boolean })[] = [
    { href: at, label: 'Overview' },
    { href: `${at}/buyers`, label: 'Buyers', count: campaign?.buyers.length },
    { href: `${at}/suppliers`, label: 'Suppliers', count: campaign?.suppliers.length },
    { href: `${at}/preview`, label: 'Preview', isShown: canPreview },
    { href: `${at}/versions`, label: 'Versions' },
    { href: `${at}/guide`, label: 'Posting guide' },
    { href: `${at}/test`, label: 'Test lead', isShown: canTest },
  ];
  return tabs.filter(({ isShown = true }) => isShown);
}
