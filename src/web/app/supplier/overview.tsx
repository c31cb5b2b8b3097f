/** The first screen of a supplier: earnings, what is left of its caps, results of its pings. */
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useCall, type OutputOf } from './calls.js';
import { useFormats } from '../lib/format.js';
import {
  BarChart,
  EmptyState,
  Loaded,
  Money,
  Notice,
  Page,
  Percent,
  Section,
  Tile,
  Tiles,
} from '../ui/index.js';
import { CapsLeft } from './capsLeft.js';

const REFRESH_SECONDS = 30;
const WEEK_DAYS = 7;

type Payout = OutputOf<'get_payout'>;

export default function Overview(): ReactNode {
  const payout = useCall('get_payout', {}, { refreshSeconds: REFRESH_SECONDS });
  return (
    <Page title="Overview">
      <PausedNotice />
      <Loaded of={payout} shape="tiles">
        {(data) => <Earned payout={data} />}
      </Loaded>
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
    <>
      {isPaused && (
        <Notice title="All posts are refused: you are paused.">
          <p>
            {supplier.can_resume ? (
              <Link href="/campaigns">Resume under Campaigns.</Link>
            ) : (
              'Only the operator can resume.'
            )}
          </p>
        </Notice>
      )}
      {supplier.test_mode && (
        <Notice title="Test mode: every post is a test.">
          <p>Nothing is sold until the operator turns it off.</p>
        </Notice>
      )}
    </>
  );
}

const sumOf = (days: Payout['days'], key: 'payout' | 'sold' | 'posts'): number =>
  days.reduce((sum, day) => sum + day[key], 0);

function Earned({ payout }: { payout: Payout }): ReactNode {
  const { days, totals } = payout;
  if (totals.posts === 0)
    return (
      <EmptyState title="No leads in the last 30 days">
        Read the <Link href="/guide">posting guide</Link>, then send a test lead from the{' '}
        <Link href="/console">test console</Link>.
      </EmptyState>
    );
  return (
    <>
      <EarnedTiles days={days} />
      <div className="charts">
        <BarChart
          title="Payout by day"
          unit="money"
          points={days.map(atDay)}
          series={[{ label: 'Payout', value: (day) => day.payout }]}
        />
        <BarChart
          title="Posts by day"
          isStacked
          points={days.map(atDay)}
          series={[
            { label: 'Sold', value: (day) => day.sold },
            { label: 'Not sold', value: (day) => day.posts - day.sold },
          ]}
        />
      </div>
    </>
  );
}

const atDay = (day: Payout['days'][number]) => ({ ...day, at: day.day });

const SPANS = [
  ['today', 1],
  ['last 7 days', WEEK_DAYS],
  ['last 30 days', 30],
] as const;

function EarnedTiles({ days }: { days: Payout['days'] }): ReactNode {
  const { money, number, percent } = useFormats();
  const [sold, posts] = [sumOf(days, 'sold'), sumOf(days, 'posts')];
  return (
    <Tiles>
      {SPANS.map(([span, count]) => {
        const some = days.slice(-count);
        return (
          <Tile
            key={span}
            label={`Payout ${span}`}
            value={money(sumOf(some, 'payout'))}
            hint={`${number(sumOf(some, 'sold'))} of ${number(sumOf(some, 'posts'))} posts sold`}
          />
        );
      })}
      <Tile label="Sold, last 30 days" value={percent(sold / posts)} hint="of all posts" />
    </Tiles>
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
          <Tiles>
            <Tile label="Pings" value={String(totals.pings)} />
            <Tile label="With a bid" value={String(totals.answered)} />
            <Tile label="Win rate" value={<Percent share={totals.win_rate} />} />
            <Tile label="Average bid" value={<Money amount={totals.average_bid} />} />
          </Tiles>
        )}
      </Loaded>
    </Section>
  );
}
