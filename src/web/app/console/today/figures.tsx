import type { ReactNode } from 'react';
import { useFormats } from '../../lib/format.js';
import { changeOf, Sparkline, Tile, Tiles, type Change } from '../../ui/index.js';
import type { Today } from './today.js';

type Hour = NonNullable<Today['hours'][number]['today']>;

const THAN = 'than last week';

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
    before ? changeOf(today[key], before[key], { good: GOOD[key], than: THAN }) : undefined;
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
        hint={hint}
        href="/reports?days=today&by=hour&measure=accepted"
      >
        {course(({ accepted }) => accepted, 'Accepted leads')}
      </Tile>
      <Tile
        label="Revenue"
        value={formats.money(today.revenue)}
        change={change('revenue')}
        hint={hint}
        href="/reports?days=today&by=campaign&measure=revenue"
      >
        {course(({ revenue }) => revenue, 'Revenue')}
      </Tile>
      <Tile
        label="Cost"
        value={formats.money(today.cost)}
        change={change('cost')}
        hint={hint}
        href="/reports?days=today&by=supplier&measure=cost"
      >
        {course(({ cost }) => cost, 'Cost')}
      </Tile>
      <Tile
        label="Profit"
        value={formats.money(today.profit)}
        change={change('profit')}
        hint={hint}
        href="/reports?days=today&by=campaign&measure=profit"
      >
        {course(({ revenue, cost }) => revenue - cost, 'Profit')}
      </Tile>
      <Tile
        label="Margin"
        value={formats.percent(today.margin_pct / 100)}
        change={before ? pointsOf(today.margin_pct, before.margin_pct) : undefined}
        hint={hint}
        href="/reports?days=today&by=campaign&measure=margin_pct"
      >
        {course(({ revenue, cost }) => (revenue === 0 ? 0 : (revenue - cost) / revenue), 'Margin')}
      </Tile>
      <Tile
        label="Accepted of decided"
        value={formats.percent(today.acceptance_pct / 100)}
        change={before ? pointsOf(today.acceptance_pct, before.acceptance_pct) : undefined}
        hint={hint}
        href="/reports?days=today&by=supplier&measure=acceptance_pct"
      >
        {course(({ leads, accepted }) => (leads === 0 ? 0 : accepted / leads), 'Accepted share')}
      </Tile>
    </Tiles>
  );
}

const GOOD = {
  total_leads: 'up',
  accepted: 'up',
  revenue: 'up',
  cost: undefined,
  profit: 'up',
} as const;

/** Shares differ by points: a percentage of a percentage misleads. */
function pointsOf(now: number, before: number): Change {
  const by = Math.round((now - before) * 10) / 10;
  const direction = by === 0 ? 'same' : by > 0 ? 'up' : 'down';
  const sign = by === 0 ? '' : by > 0 ? '+' : '−';
  return {
    text: `${sign}${Math.abs(by)} points`,
    tone: direction === 'same' ? 'neutral' : direction === 'up' ? 'good' : 'bad',
    direction,
    than: THAN,
  };
}
