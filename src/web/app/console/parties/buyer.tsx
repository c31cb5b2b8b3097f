import { lazy, Suspense, type ComponentType, type ReactNode } from 'react';
import { useParams } from 'wouter';
import { useSession } from '../../lib/session.js';
import { useCall, useWrite } from '../../lib/useActions.js';
import { Button, Chip, ErrorState, Loaded, Notice, Page, Skeleton, Time } from '../../ui/index.js';
import { Unknown } from '../../shell/unknown.js';
import './parties.css';
import { PauseButton } from './pauseButton.js';
import { buyerWord, isPaused, pathOf, type BuyerTabProps } from './words.js';

interface Tab {
  label: string;
  /** An action without which there is nothing to see. */
  needs: string;
  component: ComponentType<BuyerTabProps>;
}

const tab = (
  label: string,
  needs: string,
  load: () => Promise<{ default: ComponentType<BuyerTabProps> }>,
): Tab => ({ label, needs, component: lazy(load) });

/** By the last part of the address; the first is at the buyer's own. */
const TABS: Readonly<Record<string, Tab>> = {
  '': tab('Overview', 'get_buyer_health', () => import('./buyerOverview.js')),
  deliveries: tab('Deliveries', 'list_deliveries', () => import('./deliveries.js')),
  leads: tab('Leads', 'get_leads', () => import('./buyerLeads.js')),
  reconcile: tab('Reconcile', 'get_buyer_reconciliation', () => import('./reconciliation.js')),
  campaigns: tab('Campaigns', 'get_cap_usage', () => import('./buyerCampaigns.js')),
  delivery: tab('Delivery', 'get_buyer', () => import('../delivery/delivery.js')),
  secrets: tab('Secrets', 'rotate_buyer_secret', () => import('./secrets.js')),
  returns: tab('Returns', 'get_buyer', () => import('./returnsPolicy.js')),
  portal: tab('Portal', 'get_portal_settings', () => import('./buyerPortal.js')),
};

/** One buyer: its state, and what belongs to it, each part at an address of its own. */
export default function BuyerScreen(): ReactNode {
  const { id = '', tab: part = '' } = useParams();
  const { calls } = useSession().me;
  const buyer = useCall('get_buyer', { buyer_id: id });
  const shown = Object.entries(TABS).filter(([, { needs }]) => calls.includes(needs));
  const active = shown.find(([key]) => key === part)?.[1];
  if (!active) return <Unknown />;
  const { data } = buyer;
  const word = data && buyerWord(data);
  return (
    <Page
      title={data?.name ?? 'Buyer'}
      how={{ action: 'get_buyer', input: { buyer_id: id } }}
      crumbs={[{ href: '/buyers', label: 'Buyers' }]}
      status={word && <Chip tone={word[1]}>{word[0]}</Chip>}
      tabs={shown.map(([key, { label }]) => ({ href: pathOf('buyer', id, key), label }))}
      actions={
        data?.archived_at === null && (
          <PauseButton side="buyer" id={id} name={data.name} isPaused={isPaused(data)} />
        )
      }
    >
      <Loaded of={buyer} shape="tiles">
        {(loaded) => (
          <>
            {loaded.archived_at !== null && <Archived buyer={loaded} since={loaded.archived_at} />}
            <Suspense fallback={<Skeleton kind="table" />}>
              <active.component buyer={loaded} />
            </Suspense>
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Archived({ buyer, since }: BuyerTabProps & { since: string }): ReactNode {
  const update = useWrite('update_buyer');
  const { calls } = useSession().me;
  return (
    <Notice
      tone="neutral"
      title="This buyer is archived"
      action={
        calls.includes('update_buyer') && (
          <Button
            isBusy={update.isRunning}
            onClick={() => void update.run({ buyer_id: buyer.id, status: 'active' })}
          >
            Bring back
          </Button>
        )
      }
    >
      <p>
        Since <Time at={since} /> it gets no leads and is left out of lists.
      </p>
      {update.error && <ErrorState error={update.error} />}
    </Notice>
  );
}
