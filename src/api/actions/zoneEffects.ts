/** What another time zone changes, in sentences. */
import { startOfDay, dayAfter } from '../../fields/days.js';
import { windowKeys } from '../../fields/windowKeys.js';
import { countDays } from '../../reports/recountAllDays.js';
import type { ActionContext } from './action.js';

export interface Effect {
  what: 'caps' | 'schedules' | 'reports';
  text: string;
}

/** Days that `reconcile` compares in a minute, at most. */
const DAYS_PER_MINUTE = 50;

/** @param move from the zone as it is to the one that is wanted */
export async function zoneEffects(
  { from, to }: { from: string; to: string },
  context: ActionContext,
): Promise<Effect[]> {
  const { clock, collections, orgId } = context;
  const now = clock.now();
  const days = await countDays(orgId, collections);
  return [
    { what: 'caps', text: capsText(from, to, now) },
    {
      what: 'schedules',
      text:
        `It is ${clockOf(now, to)} there, and ${clockOf(now, from)} in ${from}. Schedules of buyers, ` +
        'filters by day and conditions of automations follow the new clock for leads that come from now on; leads that ' +
        'already wait keep the clock they came by.',
    },
    {
      what: 'reports',
      text: `Days of reports are days of ${to}. ${recountText(days)} Pings of past days stay where they are.`,
    },
  ];
}

function recountText(days: number): string {
  if (days === 0) return 'No day has leads yet.';
  const minutes = Math.ceil(days / DAYS_PER_MINUTE);
  return (
    `${days === 1 ? '1 day with leads is' : `${days} days with leads are`} counted again in the background, in about ` +
    `${minutes === 1 ? 'a minute' : `${minutes} minutes`}; until then leads near midnight may be in the day before or after.`
  );
}

/** Such as "Saturday, 5:31 PM". */
const clockOf = (at: Date, timeZone: string): string =>
  at.toLocaleString('en-US', { timeZone, weekday: 'long', hour: 'numeric', minute: '2-digit' });

/** Such as "Nov 29, 2:00 AM". */
const momentOf = (at: Date, timeZone: string): string =>
  at.toLocaleString('en-US', {
    timeZone,
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
  });

function capsText(from: string, to: string, now: Date): string {
  const [former, next] = [windowKeys(now, from).day, windowKeys(now, to).day];
  const ends = startOfDay(dayAfter(former > next ? former : next), to);
  const before = startOfDay(dayAfter(former), from);
  return (
    `Caps and budgets of a day, a week and a month end by the clock of ${to}. The day that is open now ends on ` +
    `${momentOf(ends, from)} instead of ${momentOf(before, from)} (${from} time), and counts what was sold in it before, so that no cap is passed. For some minutes after a ` +
    'day, a week or a month begins there it may also count what was sold just before. Daily limits of pings count anew ' +
    'where a new day begins by it.'
  );
}
