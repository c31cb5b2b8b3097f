/** The first screen of a supplier: earnings, what is left of its caps, results of its pings. */
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useCall, type OutputOf } from './calls.js';
import { Chart, EmptyState, Facts, Loaded, Money, Page, Percent, Section } from '../ui/index.js';
import { CapsLeft } from './capsLeft.js';

const REFRESH_SECONDS = 30;
const WEEK_DAYS = 7;

type Payout = OutputOf<'get_payout'>;

export default function Overview(): ReactNode {
  const payout = useCall('get_payout', {}, { refreshSeconds: REFRESH_SECONDS });
  return (
    <Page title="Overview">
      <PausedNotice />
      <Loaded of={payout}>{(data) => <Earned payout={data} />}</Loaded>
      <CapsLeft />
      <Pings />
    </Page>
  );
}

/** Posts are refused now, or all of them are tests. */
function PausedNotice(): ReactNode {
  const { data } = useCall('list_campaigns', {});
  if (!data) return null;
  const { supplier } = data;
  const isPaused = supplier.status === 'paused';
  if (!isPaused && !supplier.test_mode) return null;
  return (
    <div className="notice" role="note">
      {isPaused && (
        <p>
          <strong>All posts are refused: you are paused.</strong>{' '}
          {supplier.can_resume ? (
            <Link href="/campaigns">Resume under Campaigns.</Link>
          ) : (
            'Only the operator can resume.'
          )}
        </p>
      )}
      {supplier.test_mode && (
        <p>
          <strong>Test mode: every post is a test.</strong> Nothing is sold until the operator turns
          it off.
        </p>
      )}
    </div>
  );
}

const sumOf = (days: Payout['days'], key: 'payout' | 'sold' | 'posts'): number =>
  days.reduce((sum, day) => sum + day[key], 0);

function Earned({ payout }: { payout: Payout }): ReactNode {
  const { days, totals } = payout;
  const today = days.slice(-1);
  const week = days.slice(-WEEK_DAYS);
  if (totals.posts === 0)
    return (
      <EmptyState title="No leads in the last 30 days">
        Read the <Link href="/guide">posting guide</Link>, then send a test lead from the{' '}
        <Link href="/console">test console</Link>.
      </EmptyState>
    );
  return (
    <>
      <Facts
        facts={[
          ['Payout today', <Money amount={sumOf(today, 'payout')} />],
          ['Sold today', `${sumOf(today, 'sold')} of ${sumOf(today, 'posts')} posts`],
          ['Payout, last 7 days', <Money amount={sumOf(week, 'payout')} />],
          ['Sold, last 7 days', `${sumOf(week, 'sold')} of ${sumOf(week, 'posts')} posts`],
        ]}
      />
      <Chart
        title="Payout by day"
        unit="money"
        points={days}
        series={[{ label: 'Payout', value: (day) => day.payout }]}
      />
    </>
  );
}

/** Only where a campaign uses pings. */
function Pings(): ReactNode {
  const stats = useCall('get_ping_stats', {});
  const campaigns = useCall('list_campaigns', {});
  const isAsked = campaigns.data?.campaigns.some(({ is_ping_post }) => is_ping_post) ?? false;
  if (!isAsked && (stats.data?.totals.pings ?? 0) === 0) return null;
  return (
    <Section title="Pings, last 30 days">
      <Loaded of={stats}>
        {({ totals }) => (
          <Facts
            facts={[
              ['Pings', String(totals.pings)],
              ['With a bid', String(totals.answered)],
              ['Win rate', <Percent share={totals.win_rate} />],
              ['Average bid', <Money amount={totals.average_bid} />],
            ]}
          />
        )}
      </Loaded>
    </Section>
  );
}
