import type { ReactNode } from 'react';
import { AreaChart, BarChart, Chart, HeatMap, LineChart, Sparkline } from '../ui/index.js';

const HOURS = Array.from({ length: 24 }, (_, nth) => ({
  at: new Date(Date.UTC(2026, 10, 20, 5 + nth)).toISOString(),
  today: nth < 15 ? 40 + ((nth * 37) % 60) : null,
  lastWeek: 35 + ((nth * 29) % 50),
}));
const DAYS = Array.from({ length: 14 }, (_, nth) => ({
  day: `2026-11-${String(nth + 10).padStart(2, '0')}`,
  at: `2026-11-${String(nth + 10).padStart(2, '0')}`,
  sold: 20 + ((nth * 7) % 13),
  returned: nth === 5 ? null : (nth * 3) % 5,
  revenue: 2_400 + ((nth * 911) % 1_900),
}));
const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'].map((label) => ({
  key: label,
  label,
}));
const CLOCK = Array.from({ length: 24 }, (_, hour) => ({
  key: String(hour),
  label: String(hour).padStart(2, '0'),
}));

export const Charts = (): ReactNode => (
  <>
    <Chart
      title="Leads by day"
      points={DAYS}
      series={[
        { label: 'Sold', value: ({ sold }) => sold },
        { label: 'Returned', value: ({ returned }) => returned },
      ]}
    />
    <BarChart
      title="Leads by hour"
      points={HOURS}
      series={[
        { label: 'Today', value: ({ today }) => today },
        { label: 'Same day last week', value: ({ lastWeek }) => lastWeek },
      ]}
      onRange={() => undefined}
    />
    <LineChart
      title="Revenue by day"
      points={DAYS}
      unit="money"
      series={[{ label: 'Revenue', value: ({ revenue }) => revenue }]}
    />
    <AreaChart
      title="Shares by day"
      points={DAYS}
      series={[
        { label: 'Sold', value: ({ sold }) => sold },
        { label: 'Returned', value: ({ returned }) => returned },
        { label: 'Waiting', value: ({ sold }) => sold % 9 },
      ]}
    />
    <HeatMap
      title="Leads by hour and weekday"
      rows={WEEKDAYS}
      columns={CLOCK}
      value={(day, hour) => (day.charCodeAt(1) * (Number(hour) + 3)) % 61}
      format={(value) => `${value} leads`}
    />
    <Sparkline values={DAYS.map(({ sold }) => sold)} label="Sold by day" />
  </>
);
