/** What needs the buyer, or waits for the seller: each with the way to it. */
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useFormats } from '../../lib/format.js';
import { useCan } from '../../lib/session.js';
import { Loaded, Notice } from '../../ui/index.js';
import { useCall, type Endpoint, type Usage } from '../calls.js';

/** @param usage undefined while it loads */
export function Notices({ usage }: { usage: Usage | undefined }): ReactNode {
  const maySeeEndpoint = useCan('get_endpoint');
  const maySeeReturns = useCan('list_returns');
  const maySeeChanges = useCan('list_changes');
  const capped = usage?.campaigns.filter(({ limits }) =>
    limits.some(({ used, limit }) => used >= limit),
  );
  return (
    <>
      {usage?.test_mode && (
        <Notice title="TEST MODE">
          <p>The data of your leads is made up, and they are free of charge.</p>
        </Notice>
      )}
      {usage?.status === 'paused' && (
        <Notice title="Paused">
          <p>No leads are sold to you until you are active again.</p>
        </Notice>
      )}
      {maySeeEndpoint && <EndpointNotice />}
      {capped !== undefined && capped.length > 0 && (
        <Notice title="A cap is reached" action={<Link href="/terms">See your terms</Link>}>
          <p>
            <bdi>{capped.map(({ campaign }) => campaign.name).join(', ')}</bdi>: no further leads
            until the cap resets.
          </p>
        </Notice>
      )}
      {maySeeReturns && <ReturnsNotice />}
      {maySeeChanges && <ChangesNotice />}
    </>
  );
}

function EndpointNotice(): ReactNode {
  const { number } = useFormats();
  const { data, error, refetch } = useCall('get_endpoint', {}, { refreshSeconds: 30 });
  if (!data) return error && <Loaded of={{ data, error, refetch }}>{() => null}</Loaded>;
  const { waiting } = data.health;
  const fault = faultOf(data.health);
  if (fault === null && waiting === 0) return null;
  const rows = `${number(waiting)} ${waiting === 1 ? 'delivery waits' : 'deliveries wait'}`;
  return (
    <Notice
      tone={fault === null ? 'info' : 'bad'}
      title={fault ?? `${rows} for your endpoint`}
      action={<Link href="/endpoint?state=waiting">See the deliveries</Link>}
    >
      {fault !== null && <p>{rows}. They are sent again once your endpoint answers.</p>}
    </Notice>
  );
}

/** Null: it is healthy. */
function faultOf({ state, failures, is_held: isHeld }: Endpoint['health']): string | null {
  if (isHeld) return 'The seller has put your deliveries on hold';
  if (state === 'paused') return 'Your endpoint is failing: sending is paused';
  if (state === 'failing') {
    const last = failures === 1 ? 'the last delivery' : `the last ${failures} deliveries`;
    return `Your endpoint is failing: ${last} failed`;
  }
  return null;
}

/** Rows of a page: there may be more. */
const PAGE = 50;

const countOf = ({ length }: readonly unknown[], noun: string): string =>
  `${length}${length === PAGE ? ' or more' : ''} ${length === 1 ? noun : `${noun}s`}`;

function ReturnsNotice(): ReactNode {
  const { data = [] } = useCall('list_returns', { state: 'requested' });
  if (data.length === 0) return null;
  return (
    <Notice
      tone="info"
      title={`${countOf(data, 'return')} waiting for the seller's decision`}
      action={<Link href="/returns?state=requested">See the returns</Link>}
    />
  );
}

function ChangesNotice(): ReactNode {
  const { data = [] } = useCall('list_changes', { state: 'pending' });
  if (data.length === 0) return null;
  return (
    <Notice
      tone="info"
      title={`${countOf(data, 'change')} of terms waiting for the seller's decision`}
      action={<Link href="/terms">See your terms</Link>}
    />
  );
}
