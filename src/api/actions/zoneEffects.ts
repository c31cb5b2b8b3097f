/** What another time zone changes, in sentences. */
import { startOfDay, dayAfter } from '../../fields/days.js';
import { wallClock } from '../../fields/schedule.js';
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
  const minutes = Math.ceil(days / DAYS_PER_MINUTE);
  return [
    { what: 'caps', text: capsText(from, to, now) },
    {
      what: 'schedules',
      text:
        `It is ${wallClock(now, to)} there, and ${wallClock(now, from)} in ${from}. Schedules of buyers, ` +
        'filters by day and conditions of automations follow the new clock for leads that come from now on; leads that ' +
        'already wait keep the clock they came by.',
    },
    {
      what: 'reports',
      text:
        `Days of reports are days of ${to}. ${days} days with leads are counted again in the background, in about ` +
        `${minutes} minutes; until then leads near midnight may be in the day before or after. Pings of past days stay where ` +
        'they are.',
    },
  ];
}

function capsText(from: string, to: string, now: Date): string {
  const [former, next] = [windowKeys(now, from).day, windowKeys(now, to).day];
  const ends = startOfDay(dayAfter(former > next ? former : next), to).toISOString();
  const before = startOfDay(dayAfter(former), from).toISOString();
  return (
    `Caps and budgets of a day, a week and a month end by the clock of ${to}. The day that is open now ends at ${ends} ` +
    `(in ${from}: ${before}), and counts what was sold in it before, so that no cap is passed. For some minutes after a ` +
    'day, a week or a month begins there it may also count what was sold just before. Daily limits of pings count anew ' +
    'where a new day begins by it.'
  );
}
