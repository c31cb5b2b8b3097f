/** The results of a funnel, for people: how many visitors are left after each step, as bars. */
import { formatBars, type Bar } from './bars.js';
import { cellText } from './cells.js';
import type { Look } from './look.js';
import { section } from './paint.js';
import { isRow, rowsOf, type Row } from './rows.js';
import type { TableView } from './table.js';

/** Days with the most views, and sources, that are shown; --json has all. */
const LINES_MAX = 10;

/** @param data the answer of `get_funnel_stats` */
export function formatFunnelStats(data: Row, view: TableView): string {
  const { width, paint, look } = view;
  const { name, date_from, date_to, revenue, conversion_pct } = data;
  const heading = `${paint.bold(textOf(name))}, ${textOf(date_from)} to ${textOf(date_to)}`;
  const brought = `revenue ${cellText('revenue', revenue, look)}, ${textOf(conversion_pct)} % of views sold`;
  const bars = (title: string, some: Bar[]) =>
    section(title, formatBars(some, width, paint), paint);
  const parts = [
    [heading, paint.dim(brought)].join('\n'),
    bars('From view to sale', wayOf(data)),
    bars('Steps', rowsOf(data.steps).map(stepBar)),
    bars(
      'Days with the most views',
      largest(data.days).map((day) => viewsBar(day, day.date, look)),
    ),
    bars(
      'Sources',
      largest(data.sources).map((one) => viewsBar(one, one.source, look)),
    ),
    section('Rejected as bots', suspectsOf(data), paint),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

const WAY = ['views', 'starts', 'submits', 'leads', 'accepted'] as const;

const wayOf = (data: Row): Bar[] =>
  WAY.map((key) => ({ label: key, amount: amountOf(data[key]), text: textOf(data[key]) }));

function stepBar({ step, shown, left, drop_off_pct }: Row): Bar {
  const gone = amountOf(shown) === 0 ? '' : `${textOf(left)} left (${textOf(drop_off_pct)} %)`;
  return { label: textOf(step), amount: amountOf(shown), text: textOf(shown), note: gone };
}

const viewsBar = (row: Row, label: unknown, look: Look): Bar => ({
  label: textOf(label),
  amount: amountOf(row.views),
  text: textOf(row.views),
  note: `${textOf(row.accepted)} sold, ${cellText('revenue', row.revenue, look)}`,
});

const largest = (value: unknown): Row[] =>
  rowsOf(value)
    .filter(({ views, leads }) => amountOf(views) > 0 || amountOf(leads) > 0)
    .toSorted((a, b) => amountOf(b.views) - amountOf(a.views))
    .slice(0, LINES_MAX);

const suspectsOf = ({ suspects }: Row): string[] =>
  Object.entries(isRow(suspects) ? suspects : {})
    .filter(([, count]) => amountOf(count) > 0)
    .map(([reason, count]) => `  ${reason} ${textOf(count)}`);

const amountOf = (value: unknown): number => (typeof value === 'number' ? value : 0);
const textOf = (value: unknown): string => cellText('', value);
