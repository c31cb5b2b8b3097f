/** The groups of a report in the order in which they are read: times in their order, others by their leads. */
import { dayAfter, WEEKDAYS } from '../../fields/days.js';
import type { GroupBy, ReportRow } from '../../reports/report.js';
import { totalLine } from '../../reports/rules/rollups.js';

export interface Group {
  key: string | null;
  /** Of the second dimension. */
  then: string | null;
  rows: readonly ReportRow[];
  /** Of the days that are compared with; absent: there were none. */
  before?: readonly ReportRow[];
}

interface Dimensions {
  by: GroupBy;
  then?: GroupBy;
  /** How many days earlier the compared days are. */
  shift: number;
}

interface Found {
  rows: readonly ReportRow[];
  before?: readonly ReportRow[];
}

/** @param further keys without leads that are groups all the same */
export function groupsOf(
  { rows, before = [] }: Found,
  { by, then, shift }: Dimensions,
  further: readonly string[],
): Group[] {
  const groups = new Map<string, Group>();
  const at = (key: string | null, second: string | null): Group => {
    const place = JSON.stringify([key, second]);
    const group = groups.get(place) ?? { key, then: second, rows: [] };
    groups.set(place, group);
    return group;
  };
  for (const [, some] of byPlace(rows)) {
    const { key = null, then: second = null } = some[0] ?? {};
    at(key, second).rows = some;
  }
  for (const [, some] of byPlace(before)) {
    const { key = null, then: second = null } = some[0] ?? {};
    at(later(key, by, shift), later(second, then, shift)).before = some;
  }
  for (const key of further) at(key, null);
  return inOrder([...groups.values()], by, then);
}

const byPlace = (rows: readonly ReportRow[]): Map<string, ReportRow[]> =>
  Map.groupBy(rows, ({ key, then }) => JSON.stringify([key, then]));

/** A compared day stands beside the one that it is compared with. */
const later = (key: string | null, by: GroupBy | undefined, days: number): string | null =>
  by === 'day' && key !== null ? dayAfter(key, days) : key;

function inOrder(groups: readonly Group[], by: GroupBy, then: GroupBy | undefined): Group[] {
  const leads = groups.map(({ rows }) => totalLine(rows).leads);
  const ofKey = new Map<string | null, number>();
  for (const [nth, { key }] of groups.entries())
    ofKey.set(key, (ofKey.get(key) ?? 0) + (leads[nth] ?? 0));
  const ordered = groups.map((group, nth) => ({ group, leads: leads[nth] ?? 0 }));
  const compare = (a: (typeof ordered)[number], b: (typeof ordered)[number]): number =>
    compareKeys(
      by,
      [a.group.key, ofKey.get(a.group.key) ?? 0],
      [b.group.key, ofKey.get(b.group.key) ?? 0],
    ) || compareKeys(then, [a.group.then, a.leads], [b.group.then, b.leads]);
  return ordered.sort(compare).map(({ group }) => group);
}

type Weighed = [key: string | null, leads: number];

function compareKeys(by: GroupBy | undefined, a: Weighed, b: Weighed): number {
  if (by === 'weekday') return weekdayPlace(a[0]) - weekdayPlace(b[0]);
  if (by === 'day' || by === 'hour') return compareTexts(a[0], b[0]);
  return b[1] - a[1] || compareTexts(a[0], b[0]);
}

const weekdayPlace = (key: string | null): number => WEEKDAYS.findIndex((day) => day === key);
const compareTexts = (a: string | null, b: string | null): number =>
  (a ?? '').localeCompare(b ?? '');
