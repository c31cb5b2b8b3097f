/** What needs an operator, each with the way to mend it. */
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useCan } from '../../lib/session.js';
import type { OutputOf } from '../../lib/useActions.js';
import { Notice, Time, Written } from '../../ui/index.js';
import type { BuyerTabProps } from './words.js';
import { capName, useCaps, type CapRow } from './capLines.js';
import { counted, isPaused, linkPath, pathOf } from './words.js';

interface BuyerNoticesProps extends BuyerTabProps {
  health: OutputOf<'get_buyer_health'>;
}

export function BuyerNotices({ buyer, health }: BuyerNoticesProps): ReactNode {
  return (
    <div className="notices">
      <Endpoint buyer={buyer} health={health} />
      <Queue buyer={buyer} health={health} />
      {isPaused(buyer) && buyer.archived_at === null && (
        <Notice tone="neutral" title="Paused: this buyer gets no new leads" />
      )}
      {buyer.delivery.method === 'STORE' && (
        <Notice
          tone="info"
          title="Its leads are stored and sent nowhere"
          action={<Link href={pathOf('buyer', buyer.id, 'delivery')}>Show the delivery</Link>}
        />
      )}
      {buyer.campaigns.length === 0 && (
        <Notice
          tone="info"
          title="It buys in no campaign yet"
          action={<Link href="/campaigns">Choose a campaign</Link>}
        />
      )}
      <FullCaps buyer={buyer} />
    </div>
  );
}

function Endpoint({ buyer, health }: BuyerNoticesProps): ReactNode {
  const { breaker, failures, open_until } = health;
  if (breaker === 'closed') return null;
  const requests = failures === 1 ? 'the last delivery' : `the last ${failures} deliveries`;
  return (
    <Notice
      tone={breaker === 'open' ? 'bad' : 'warning'}
      title={`The endpoint is failing: ${requests} failed`}
      action={<Link href={pathOf('buyer', buyer.id, 'delivery')}>Try it out</Link>}
    >
      <p>
        {breaker === 'open' && open_until !== null ? (
          <>
            New leads go to other buyers until <Time at={open_until} isRelative />.
          </>
        ) : (
          'One delivery at a time is tried, until one succeeds.'
        )}
      </p>
    </Notice>
  );
}

function Queue({ buyer, health }: BuyerNoticesProps): ReactNode {
  const mayList = useCan('list_deliveries');
  const { waiting, unknown, queue_held, oldest_at } = health;
  if (waiting + unknown === 0 && !queue_held) return null;
  const parts = [
    ...(waiting > 0 ? [`${counted(waiting, 'delivery', 'deliveries')} waiting`] : []),
    ...(unknown > 0 ? [`${counted(unknown, 'delivery', 'deliveries')} never answered`] : []),
  ];
  return (
    <Notice
      tone="warning"
      title={queue_held ? ['The queue is held', ...parts].join(': ') : parts.join(', ')}
      action={mayList && <Link href={`/queues?buyer_id=${buyer.id}`}>Open the queue</Link>}
    >
      {oldest_at !== null && (
        <p>
          The oldest waits since <Time at={oldest_at} isRelative />.
        </p>
      )}
    </Notice>
  );
}

const isFull = ({ used, limit }: CapRow): boolean => used >= limit;

function FullCaps({ buyer }: BuyerTabProps): ReactNode {
  const caps = useCaps({ buyer_id: buyer.id });
  const full = caps.data?.filter(isFull) ?? [];
  return full.map((cap) => (
    <Notice
      key={`${cap.campaign_id} ${capName(cap)}`}
      tone="warning"
      title={
        <>
          {capName(cap)} reached in <Written>{cap.campaign_name ?? 'a deleted campaign'}</Written>
        </>
      }
      action={<Link href={linkPath(cap.campaign_id, buyer.id)}>Change the cap</Link>}
    >
      {cap.resets_at !== null && (
        <p>
          It resets <Time at={cap.resets_at} isRelative />.
        </p>
      )}
    </Notice>
  ));
}
