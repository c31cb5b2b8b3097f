import type { ReactNode } from 'react';
import { Link, useParams } from 'wouter';
import { useCall } from '../../lib/useActions.js';
import {
  Facts,
  Loaded,
  Money,
  Notice,
  Page,
  Section,
  Time,
  WordBadge,
  type Fact,
} from '../../ui/index.js';
import { Name } from '../names.js';
import { Auction } from './auction.js';
import { PING_WORDS, REFUSAL_WORDS, type Ping } from './words.js';
import './pings.css';

/** One ping: its auction, and the lead that was posted to it. */
export default function PingPage(): ReactNode {
  const { id } = useParams<{ id: string }>();
  const ping = useCall('get_ping', { ping_id: id });
  return (
    <Page
      title={`Ping ${id.slice(0, 8)}`}
      how={{ action: 'get_ping', input: { ping_id: id } }}
      status={ping.data && <WordBadge of={PING_WORDS[ping.data.state]} />}
      crumbs={[{ href: '/pings', label: 'Pings' }]}
    >
      <Loaded of={ping}>
        {(one) => (
          <>
            {one.reason !== null && (
              <Notice tone="bad" title="Refused">
                {REFUSAL_WORDS[one.reason]} <Failed errors={one.filter_errors} />
              </Notice>
            )}
            <Section title="Auction">
              <Auction ping={one} />
            </Section>
            <Section title="Post">
              <Post ping={one} />
            </Section>
            <Section title="Ping">
              <Facts facts={factsOf(one)} />
            </Section>
          </>
        )}
      </Loaded>
    </Page>
  );
}

/** The result of the bid that the supplier was offered. */
function Post({ ping }: { ping: Ping }): ReactNode {
  const { lead_id, won_by, redeemed_at, state, expires_at } = ping;
  if (lead_id === null) {
    if (state === 'open')
      return (
        <p>
          No lead was posted yet; one may be posted until <Time at={expires_at} />.
        </p>
      );
    return (
      <p>{state === 'refused' ? 'There was no bid to post to.' : 'No lead was posted in time.'}</p>
    );
  }
  const winner = [...ping.bids, ...ping.unbid].find(({ buyer_id }) => buyer_id === won_by);
  return (
    <p>
      <Link href={`/leads/${lead_id}`}>Lead {lead_id.slice(0, 8)}</Link> was posted{' '}
      <Time at={redeemed_at} />
      {won_by === null ? (
        <>, and was not sold.</>
      ) : (
        <>
          , and <Name of={winner?.buyer_name ?? null} /> bought it.
        </>
      )}
    </p>
  );
}

/** The fields whose filters refused it. */
function Failed({ errors }: { errors: Ping['filter_errors'] }): ReactNode {
  const messages = errors.flatMap(({ message }) => (typeof message === 'string' ? message : []));
  return messages.length === 0 ? null : messages.join(' ');
}

const factsOf = (ping: Ping): Fact[] => [
  ['Received', <Time at={ping.created_at} />],
  [
    'Campaign',
    <Link href={`/campaigns/${ping.campaign_id}`}>
      <Name of={ping.campaign_name} />
    </Link>,
  ],
  [
    'Supplier',
    <Link href={`/suppliers/${ping.supplier_id}`}>
      <Name of={ping.supplier_name} />
    </Link>,
  ],
  ['Offered', ping.bids[0] && <Money amount={ping.bids[0].bid} />],
  ['Open until', <Time at={ping.expires_at} />],
  ['Fields', ping.fields.join(', ') || 'None'],
  ['Decided by version', String(ping.plan_version)],
  ['Test', ping.is_test && 'Yes: it is of a test'],
  ['Ping ID', <code>{ping.ping_id}</code>],
];
