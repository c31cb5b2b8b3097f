/** The campaigns of a supplier: their terms and caps, and pausing where the operator allows it. */
import './supplier.css';
import { useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import { useCan, useSession } from '../lib/session.js';
import { useCall, useWrite } from './calls.js';
import {
  Badge,
  Button,
  Confirm,
  Copy,
  EmptyState,
  Loaded,
  Money,
  Page,
  Table,
  useToast,
  Written,
} from '../ui/index.js';
import { CapsLeft } from './capsLeft.js';
import { CampaignState, type Campaign } from './words.js';

/** What a click pauses or resumes; without a campaign, everything. */
interface Ask {
  act: 'pause' | 'resume';
  campaign?: Campaign;
}

export default function Campaigns(): ReactNode {
  const campaigns = useCall('list_campaigns', {});
  const [ask, setAsk] = useState<Ask | null>(null);
  return (
    <Page title="Campaigns">
      <Loaded of={campaigns}>
        {(data) => (
          <>
            <Everything supplier={data.supplier} onAsk={setAsk} />
            <CampaignTable campaigns={data.campaigns} onAsk={setAsk} />
          </>
        )}
      </Loaded>
      <CapsLeft />
      <PauseDialog ask={ask} onClose={() => setAsk(null)} />
    </Page>
  );
}

interface EverythingProps {
  supplier: { status: 'active' | 'paused'; can_resume: boolean };
  onAsk(ask: Ask): void;
}

function Everything({ supplier, onAsk }: EverythingProps): ReactNode {
  const canPause = useCan('pause');
  const canResume = useCan('resume');
  const isPaused = supplier.status === 'paused';
  return (
    <div className="row">
      <p>
        All posts:{' '}
        <Badge tone={isPaused ? 'warning' : 'good'}>{isPaused ? 'Paused' : 'Accepted'}</Badge>
      </p>
      {!isPaused && canPause && (
        <Button onClick={() => onAsk({ act: 'pause' })}>Pause all campaigns</Button>
      )}
      {isPaused && canResume && supplier.can_resume && (
        <Button kind="primary" onClick={() => onAsk({ act: 'resume' })}>
          Resume all campaigns
        </Button>
      )}
      {isPaused && !supplier.can_resume && (
        <p className="muted">Paused by the operator. Only the operator can resume.</p>
      )}
    </div>
  );
}

interface CampaignTableProps {
  campaigns: readonly Campaign[];
  onAsk(ask: Ask): void;
}

function CampaignTable({ campaigns, onAsk }: CampaignTableProps): ReactNode {
  const canPause = useCan('pause');
  const canResume = useCan('resume');
  return (
    <Table
      caption="Campaigns"
      rows={campaigns}
      rowKey={({ id }) => id}
      empty={
        <EmptyState title="No campaigns">
          Campaigns appear here once the operator adds you to one.
        </EmptyState>
      }
      columns={[
        {
          header: 'Campaign',
          sortValue: ({ name }) => name,
          cell: ({ id, name }) => (
            <>
              <Link href={`/guide?campaign=${encodeURIComponent(id)}`}>
                <Written>{name}</Written>
              </Link>{' '}
              <Copy text={id} of={`id of ${name}`} />
            </>
          ),
        },
        { header: 'State', cell: ({ state }) => <CampaignState of={state} /> },
        {
          header: 'Posts',
          cell: ({ is_ping_post }) => (is_ping_post ? 'Ping, then post' : 'Direct'),
        },
        { header: 'Payout', isNumber: true, cell: (row) => <Terms campaign={row} /> },
        {
          header: 'Pausing',
          cell(campaign) {
            const { name, is_paused, can_resume } = campaign;
            if (!is_paused && canPause)
              return (
                <Button
                  kind="quiet"
                  aria-label={`Pause ${name}`}
                  onClick={() => onAsk({ act: 'pause', campaign })}
                >
                  Pause
                </Button>
              );
            if (is_paused && can_resume && canResume)
              return (
                <Button
                  kind="quiet"
                  aria-label={`Resume ${name}`}
                  onClick={() => onAsk({ act: 'resume', campaign })}
                >
                  Resume
                </Button>
              );
            return <span className="muted">{is_paused ? 'Paused by the operator' : '–'}</span>;
          },
        },
      ]}
    />
  );
}

function Terms({ campaign }: { campaign: Campaign }): ReactNode {
  const { payout_per_lead, revenue_share } = campaign;
  if (revenue_share !== null) return `${revenue_share}% of the price`;
  return <Money amount={payout_per_lead} />;
}

function PauseDialog({ ask, onClose }: { ask: Ask | null; onClose(): void }): ReactNode {
  const pause = useWrite('pause');
  const resume = useWrite('resume');
  const isAsked = useSession().me.settings?.pause === 'request';
  const toast = useToast();
  const write = ask?.act === 'resume' ? resume : pause;
  const what = ask?.campaign ? ask.campaign.name : 'all campaigns';
  const confirm = async (): Promise<void> => {
    const done = await write.run(ask?.campaign ? { campaign_id: ask.campaign.id } : {});
    if (!done) return;
    const did = ask?.act === 'resume' ? 'Resumed' : 'Paused';
    toast(done.change_id === null ? `${did}: ${what}` : `Request sent to the operator: ${what}`);
    onClose();
  };
  return (
    <Confirm
      title={ask?.act === 'resume' ? `Resume ${what}?` : `Pause ${what}?`}
      isOpen={ask !== null}
      act={ask?.act === 'resume' ? 'Resume' : 'Pause'}
      write={write}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p>{consequenceOf(ask?.act ?? 'pause', isAsked)}</p>
    </Confirm>
  );
}

/** @param isAsked whether the operator decides */
function consequenceOf(act: Ask['act'], isAsked: boolean): string {
  if (isAsked) return 'The operator must approve it. Nothing changes until then.';
  return act === 'resume'
    ? 'Posts are accepted again at once.'
    : 'Posts are refused from now on, until you resume. Accepted leads are not affected.';
}
