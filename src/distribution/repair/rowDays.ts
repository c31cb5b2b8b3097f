/** Where the rows of a link's open windows are found. */
import type { Document } from 'mongodb';
import { CALENDAR_WINDOWS, type CapScope, type CapWindow } from '../../account/rules/capLimits.js';
import { dayAfter } from '../../fields/days.js';
import { countersOf, type CapDoc } from '../../routing/store/capDocs.js';

/** The days that the buyers' windows of these rows may have. Those of the other counters differ by at most a day. */
export function daysOf(link: CapDoc, scope: CapScope, windows: readonly CapWindow[]): Document {
  const [{ key: day }, { key: week }, { key: month }] = [link.day, link.week, link.month];
  // Only rows with windows are in the index.
  if (windows.includes('total') || day === '') return { $gte: '' };
  const [monday, first] = [week.slice(1), `${month}-01`];
  const earliest = windows.includes('month') ? (monday < first ? monday : first) : day;
  const from = withMoved(earliest, link, windows);
  return scope === 'buyer'
    ? { $gte: from, $lte: day }
    : { $gte: dayAfter(from, -1), $lte: dayAfter(day) };
}

/** No two time zones are further apart, in days. */
const MOVED_DAYS = 2;

/** An open window in which the account moved to another zone contains rows of earlier windows of the former zone. */
function withMoved(day: string, { moved, ...link }: CapDoc, windows: readonly CapWindow[]): string {
  const counters = countersOf(link);
  const begun = CALENDAR_WINDOWS.flatMap((window) => {
    const move = moved?.windows[window];
    const isOpen = windows.includes(window) && move?.key === counters[window].key;
    return isOpen ? [dayAfter(move.from.slice(0, 10), -MOVED_DAYS)] : [];
  });
  return [day, ...begun].toSorted()[0] ?? day;
}
