/** The last 30 days of a buyer or supplier: this week beside the one before, and money and leads by day. */
import type { ReactNode } from 'react';
import { useFormats } from '../../lib/format.js';
import { useCall, type OutputOf } from '../../lib/useActions.js';
import { BarChart, changeOf, Loaded, Notice, Tile, Tiles } from '../../ui/index.js';
import type { PartyInput } from './types.js';

type Stats = OutputOf<'get_lead_stats'>;
type Day = Stats['days'][number];

interface MoneyByDayProps {
  party: PartyInput;
  /** Tiles beside those of this week. */
  children?: ReactNode;
}

const WEEK = 7;
const THAN = 'vs. the 7 days before';

export function MoneyByDay({ party, children }: MoneyByDayProps): ReactNode {
  const stats = useCall('get_lead_stats', party, { refreshSeconds: 60 });
  return (
    <Loaded of={stats} shape="tiles">
      {(loaded) => (
        <>
          <WeekTiles days={loaded.days} isBuyer={'buyer_id' in party}>
            {children}
          </WeekTiles>
          {loaded.uncounted > 0 && (
            <Notice tone="info">
              <p>
                {loaded.uncounted.toLocaleString('en-US')} changes of leads are not counted yet; the
                numbers follow within seconds.
              </p>
            </Notice>
          )}
          <ByDay days={loaded.days} isBuyer={'buyer_id' in party} />
        </>
      )}
    </Loaded>
  );
}

interface OfDays {
  days: readonly Day[];
  isBuyer: boolean;
}

function WeekTiles({ days, isBuyer, children }: OfDays & { children?: ReactNode }): ReactNode {
  const { money, number, percent } = useFormats();
  const [now, before] = [sumOf(days.slice(-WEEK)), sumOf(days.slice(-2 * WEEK, -WEEK))];
  const share = ({ accepted, total_leads }: Sum): number =>
    total_leads === 0 ? 0 : accepted / total_leads;
  return (
    <Tiles>
      <Tile
        label={isBuyer ? 'Leads bought, 7 days' : 'Leads received, 7 days'}
        value={number(now.total_leads)}
        change={changeOf(now.total_leads, before.total_leads, { good: 'up', than: THAN })}
      />
      {isBuyer ? (
        <Tile
          label="Revenue, 7 days"
          value={money(now.revenue)}
          change={changeOf(now.revenue, before.revenue, { good: 'up', than: THAN, show: money })}
        />
      ) : (
        <>
          <Tile
            label="Sold, 7 days"
            value={percent(share(now))}
            hint={`${percent(share(before))} in the 7 days before`}
          />
          <Tile
            label="Cost, 7 days"
            value={money(now.cost)}
            change={changeOf(now.cost, before.cost, { than: THAN, show: money })}
          />
        </>
      )}
      <Tile
        label="Profit, 7 days"
        value={money(now.profit)}
        change={changeOf(now.profit, before.profit, { good: 'up', than: THAN, show: money })}
      />
      {children}
    </Tiles>
  );
}

type Sum = Omit<Day, 'date'>;

const sumOf = (days: readonly Day[]): Sum => {
  const add = (key: keyof Sum): number => days.reduce((sum, day) => sum + day[key], 0);
  return {
    total_leads: add('total_leads'),
    accepted: add('accepted'),
    revenue: add('revenue'),
    cost: add('cost'),
    profit: add('profit'),
  };
};

function ByDay({ days, isBuyer }: OfDays): ReactNode {
  const points = days.map(({ date, ...sums }) => ({ at: date, ...sums }));
  type Point = (typeof points)[number];
  const leads = isBuyer
    ? [{ label: 'Leads', value: ({ total_leads }: Point) => total_leads }]
    : [
        { label: 'Sold', value: ({ accepted }: Point) => accepted },
        {
          label: 'Not sold',
          value: ({ total_leads, accepted }: Point) => total_leads - accepted,
        },
      ];
  return (
    <div className="party-charts">
      <div className="card">
        <BarChart
          title="Money by day"
          unit="money"
          points={points}
          series={[
            { label: 'Revenue', value: ({ revenue }: Point) => revenue },
            { label: 'Cost', value: ({ cost }: Point) => cost },
          ]}
        />
      </div>
      <div className="card">
        <BarChart title="Leads by day" isStacked points={points} series={leads} />
      </div>
    </div>
  );
}
