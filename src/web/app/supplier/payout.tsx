/** The supplier's earnings, by day and by campaign. */
import type { ReactNode } from 'react';
import { useFilters } from '../lib/route.js';
import { useCan, useSession } from '../lib/session.js';
import { useCall, type OutputOf } from './calls.js';
import {
  Chart,
  Day,
  EmptyState,
  Facts,
  Loaded,
  Money,
  Page,
  Section,
  Table,
  Written,
  type Column,
} from '../ui/index.js';
import { CampaignFilter } from './campaignChoice.js';
import { daysBefore, daysIn, isDay, todayIn } from './calendar.js';
import { DayFilter } from './dayFilter.js';
import { DownloadLink } from '../lib/downloadLink.js';

const USUAL_DAYS = 30;
const DAYS_MAX = 92;

type PayoutData = OutputOf<'get_payout'>;
type Sums = PayoutData['totals'];

export default function Payout(): ReactNode {
  const [filters, setFilters] = useFilters(['from', 'to', 'campaign']);
  const today = todayIn(useSession().me.organization.time_zone);
  const to = isDay(filters.to) ? filters.to : today;
  const from = isDay(filters.from) ? filters.from : daysBefore(to, USUAL_DAYS - 1);
  const length = daysIn(from, to);
  const problem =
    length < 1
      ? 'The first day is after the last. Choose an earlier one.'
      : length > DAYS_MAX
        ? `At most ${DAYS_MAX} days at once. Choose a later first day.`
        : null;
  const input = { from, to, campaign_id: filters.campaign };
  const payout = useCall('get_payout', input, { isOff: problem !== null });
  return (
    <Page
      title="Payout"
      actions={<DownloadLink file="payout.csv" input={input} />}
      intro="Earnings from sold leads, less returns. A lead counts on the day it was posted."
    >
      <div className="filters">
        <DayFilter from={from} to={to} onChange={setFilters} />
        <CampaignFilter filters={filters} onChange={setFilters} />
      </div>
      {problem === null ? (
        <Loaded of={payout}>{(data) => <Earned payout={data} />}</Loaded>
      ) : (
        <p role="alert" className="fault">
          {problem}
        </p>
      )}
    </Page>
  );
}

function Earned({ payout }: { payout: PayoutData }): ReactNode {
  const { totals, days, campaigns, rows } = payout;
  const canTest = useCan('send_test_post');
  if (totals.posts === 0)
    return (
      <EmptyState title="No posts on these days">
        Choose other days{canTest ? ', or send a test lead from the test console' : ''}.
      </EmptyState>
    );
  return (
    <>
      <Facts
        facts={[
          ['Payout', <Money amount={totals.payout} />],
          ['Sold', `${totals.sold} of ${totals.posts} posts`],
          ['Duplicates', String(totals.duplicates)],
          ['Rejected', String(totals.rejected)],
          ['Returned', String(totals.returned)],
        ]}
      />
      <Chart
        title="Payout by day"
        unit="money"
        points={days}
        series={[{ label: 'Payout', value: (day) => day.payout }]}
      />
      <Section title="By campaign">
        <Table
          caption="Payout by campaign"
          rows={campaigns}
          rowKey={({ campaign }) => campaign.id}
          empty={null}
          columns={sumColumns()}
        />
      </Section>
      <Section title="By day and campaign">
        <Table
          caption="Payout by day and campaign"
          rows={rows}
          rowKey={({ day, campaign }) => `${day} ${campaign.id}`}
          empty={null}
          columns={[
            { header: 'Day', sortValue: ({ day }) => day, cell: ({ day }) => <Day day={day} /> },
            ...sumColumns<PayoutData['rows'][number]>(),
          ]}
        />
      </Section>
    </>
  );
}

const COUNTS: readonly (readonly [Exclude<keyof Sums, 'payout'>, string])[] = [
  ['posts', 'Posts'],
  ['sold', 'Sold'],
  ['duplicates', 'Duplicates'],
  ['rejected', 'Rejected'],
  ['returned', 'Returned'],
];

const sumColumns = <R extends PayoutData['campaigns'][number]>(): Column<R>[] => [
  {
    header: 'Campaign',
    sortValue: ({ campaign }) => campaign.name,
    cell: ({ campaign }) => <Written>{campaign.name}</Written>,
  },
  ...COUNTS.map(([key, header]): Column<R> => ({
    header,
    isNumber: true,
    sortValue: (row) => row[key],
    cell: (row) => String(row[key]),
  })),
  {
    header: 'Payout',
    isNumber: true,
    sortValue: ({ payout }) => payout,
    cell: ({ payout }) => <Money amount={payout} />,
  },
];
