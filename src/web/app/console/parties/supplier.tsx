import { lazy, Suspense, type ComponentType, type ReactNode } from 'react';
import { useParams } from 'wouter';
import { useSession } from '../../lib/session.js';
import { useCall } from '../../lib/useActions.js';
import { Chip, Loaded, Page, Skeleton } from '../../ui/index.js';
import { Unknown } from '../../shell/unknown.js';
import './parties.css';
import { PauseButton } from './pauseButton.js';
import { isPaused, pathOf, supplierWord, type SupplierTabProps } from './words.js';

interface Tab {
  label: string;
  /** An action without which there is nothing to see. */
  needs: string;
  component: ComponentType<SupplierTabProps>;
}

const tab = (
  label: string,
  needs: string,
  load: () => Promise<{ default: ComponentType<SupplierTabProps> }>,
): Tab => ({ label, needs, component: lazy(load) });

/** By the last part of the address; the first is at the supplier's own. */
const TABS: Readonly<Record<string, Tab>> = {
  '': tab('Overview', 'get_lead_stats', () => import('./supplierOverview.js')),
  leads: tab('Leads', 'get_leads', () => import('./supplierLeads.js')),
  campaigns: tab('Campaigns', 'get_cap_usage', () => import('./supplierCampaigns.js')),
  keys: tab('Keys', 'get_supplier', () => import('./supplierKeys.js')),
  portal: tab('Portal', 'get_portal_settings', () => import('./supplierPortal.js')),
};

/** One supplier: its state, and what belongs to it, each part at an address of its own. */
export default function SupplierScreen(): ReactNode {
  const { id = '', tab: part = '' } = useParams();
  const { calls } = useSession().me;
  const supplier = useCall('get_supplier', { supplier_id: id });
  const shown = Object.entries(TABS).filter(([, { needs }]) => calls.includes(needs));
  const active = shown.find(([key]) => key === part)?.[1];
  if (!active) return <Unknown />;
  const { data } = supplier;
  const word = data && supplierWord(data);
  return (
    <Page
      title={data?.name ?? 'Supplier'}
      how={{ action: 'get_supplier', input: { supplier_id: id } }}
      crumbs={[{ href: '/suppliers', label: 'Suppliers' }]}
      status={word && <Chip tone={word[1]}>{word[0]}</Chip>}
      tabs={shown.map(([key, { label }]) => ({ href: pathOf('supplier', id, key), label }))}
      actions={
        data && <PauseButton side="supplier" id={id} name={data.name} isPaused={isPaused(data)} />
      }
    >
      <Loaded of={supplier} shape="tiles">
        {(loaded) => (
          <Suspense fallback={<Skeleton kind="table" />}>
            <active.component supplier={loaded} />
          </Suspense>
        )}
      </Loaded>
    </Page>
  );
}
