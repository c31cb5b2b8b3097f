import type { ReactNode } from 'react';
import { useFormats, type Formats } from '../../lib/format.js';
import { changeOf, pointsOf, Sparkline, Tile, Tiles, type Change } from '../../ui/index.js';
import type { Today } from './types.js';

type Hour = NonNullable<Today['hours'][number]['today']>;

const THAN = 'vs. last week';

/** The numbers of the day so far, each with its change and its course. */
export function Figures({ today: data }: { today: Today }): ReactNode {
  const formats = useFormats();
  const { today, last_week_by_now: before } = data;
  const course = (of: (hour: Hour) => number, what: string): ReactNode => (
    <Sparkline
      values={data.hours.flatMap((hour) => (hour.today ? [of(hour.today)] : []))}
      label={`${what} by hour`}
    />
  );
  const change = (
    key: 'total_leads' | 'accepted' | 'revenue' | 'cost' | 'profit',
  ): Change | undefined =>
    before
      ? changeOf(today[key], before[key], {
          good: GOOD[key],
          than: THAN,
          show: SHOWN_AS[key](formats),
        })
      : undefined;
  const hint = before ? undefined : 'Last week is not known';
  return (
    <Tiles>
      <Tile
        label="Leads"
        value={formats.number(today.total_leads)}
        change={change('total_leads')}
        hint={hint}
        href="/leads?days=today"
      >
        {course(({ leads }) => leads, 'Leads')}
      </Tile>
      <Tile
        label="Accepted"
        value={formats.number(today.accepted)}
        change={change('accepted')}
        hint={`${formats.percent(today.acceptance_pct / 100)} of decided leads`}
        href="/reports?days=today&by=hour&measure=accepted"
      >
        {course(({ accepted }) => accepted, 'Accepted leads')}
      </Tile>
      <Tile
        label="Revenue"
        value={formats.sum(today.revenue)}
        change={change('revenue')}
        hint={hint}
        href="/reports?days=today&by=campaign&measure=revenue"
      >
        {course(({ revenue }) => revenue, 'Revenue')}
      </Tile>
      <Tile
        label="Cost"
        value={formats.sum(today.cost)}
        change={change('cost')}
        hint={hint}
        href="/reports?days=today&by=supplier&measure=cost"
      >
        {course(({ cost }) => cost, 'Cost')}
      </Tile>
      <Tile
        label="Profit"
        value={formats.sum(today.profit)}
        change={change('profit')}
        hint={hint}
        href="/reports?days=today&by=campaign&measure=profit"
      >
        {course(({ revenue, cost }) => revenue - cost, 'Profit')}
      </Tile>
      <Tile
        label="Margin"
        value={formats.percent(today.margin_pct / 100)}
        change={
          before && before.revenue > 0
            ? pointsOf(today.margin_pct, before.margin_pct, { good: 'up', than: THAN })
            : undefined
        }
        hint={hint}
        href="/reports?days=today&by=campaign&measure=margin_pct"
      >
        {course(({ revenue, cost }) => (revenue === 0 ? 0 : (revenue - cost) / revenue), 'Margin')}
      </Tile>
    </Tiles>
  );
}

const counts = ({ number }: Formats): ((size: number) => string) => number;
const money = ({ sum }: Formats): ((size: number) => string) => sum;
const SHOWN_AS = {
  total_leads: counts,
  accepted: counts,
  revenue: money,
  cost: money,
  profit: money,
} as const;

const GOOD = {
  total_leads: 'up',
  accepted: 'up',
  revenue: 'up',
  cost: undefined,
  profit: 'up',
} as const;
