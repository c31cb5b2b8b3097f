/** The morning page of an operator: today beside yesterday, and what waits. */
import { z } from 'zod';
import { breakerState } from '../../../deliveries/rules/breaker.js';
import {
  findOpenBreakers,
  readQueues,
  type OpenBreaker,
} from '../../../deliveries/store/attention.js';
import { fromMicros } from '../../../fields/money.js';
import { readCapUsage, type CapUsageRow } from '../../../routing/readCapUsage.js';
import { shareUsed } from '../../../routing/rules/capUsage.js';
import { readToday } from '../../../reports/readToday.js';
import type { DayFigures } from '../../../reports/rules/dayFigures.js';
import { defineAction, type ActionContext } from '../action.js';
import { acceptanceOf } from '../reportFigures.js';
import { readRowNames } from '../rowNames.js';
import { marginOf } from '../schemas/report.js';
import { TodayView } from '../schemas/today.js';
import { QUEUED_MAX, waitingIn } from '../schemas/waiting.js';
import { NEARLY_FULL } from './capUsage.js';

/** Rows of each list. */
const SHOWN_MAX = 10;
const BREAKERS_MAX = 1_000;
/** What waits for decisions is counted up to this number. */
const COUNTED_MAX = 1_000;
/** Batches of campaigns whose caps are looked at. */
const CAP_BATCHES_MAX = 25;

export const getToday = defineAction({
  name: 'get_today',
  cli: ['reports', 'today'],
  summary: "Show today's leads and what waits",
  description:
    "Today's leads and money beside yesterday and last week at the same time and by hour, and what needs an operator: queues, breakers, " +
    'unanswered deliveries, returns, change requests, dead letters, caps that are nearly full, silent suppliers.',
  permission: 'reports:read',
  input: z.strictObject({}),
  example: {},
  output: TodayView,
  async run(_input, context) {
    const { collections, orgId, clock } = context;
    const org = await collections.orgs.findOne({ _id: orgId });
    const at = { now: clock.now(), timeZone: org?.time_zone ?? 'UTC' };
    const [{ figures, campaigns, silent }, queues, breakers, decisions, caps] = await Promise.all([
      readToday(context, orgId, at),
      readQueues(collections.deliveries, orgId, QUEUED_MAX),
      findOpenBreakers(collections.destinations, orgId, BREAKERS_MAX),
      countDecisions(context),
      readNearlyFull(context, at),
    ]);
    const longest = queues.queues.slice(0, SHOWN_MAX);
    const shownBreakers = breakers.slice(0, SHOWN_MAX);
    const shownSilent = silent.slice(0, SHOWN_MAX);
    const namesOf = await readRowNames(context, [
      ...longest,
      ...shownBreakers.map(({ _id }) => ({ buyer_id: _id })),
      ...caps.fullest,
      ...shownSilent,
      ...campaigns,
    ]);
    return {
      date: figures.date,
      time_zone: at.timeZone,
      currency: org?.currency ?? '',
      today: dayView(figures.today),
      yesterday_by_now: figures.untilNow && dayView(figures.untilNow),
      last_week_by_now: figures.lastWeekUntilNow && dayView(figures.lastWeekUntilNow),
      hours: figures.hours.map(({ hour, today, lastWeek }) => ({
        hour,
        today: today && hourView(today),
        last_week: lastWeek && hourView(lastWeek),
      })),
      yesterday: dayView(figures.yesterday),
      uncounted: figures.uncounted,
      waiting: { ...waitingIn(queues), breakers: breakers.length, ...decisions },
      queues: longest.map(({ parked, oldest, ...one }) => ({
        ...one,
        buyer_name: namesOf(one).buyer_name,
        waiting: parked,
        oldest_at: oldest,
      })),
      breakers: shownBreakers.map((one) => ({
        ...breakerView(one, at.now),
        buyer_name: namesOf({ buyer_id: one._id }).buyer_name,
      })),
      caps: {
        ...caps,
        fullest: caps.fullest.map((row) => ({ ...capView(row), ...namesOf(row) })),
      },
      campaigns: campaigns.map((one) => ({
        campaign_id: one.campaign_id,
        campaign_name: namesOf(one).campaign_name,
        ...dayView(one.figures),
      })),
      silent_suppliers: shownSilent.map((one) => ({
        ...one,
        supplier_name: namesOf(one).supplier_name,
      })),
    };
  },
});

function dayView({ revenue, cost, ...figures }: DayFigures) {
  const decided = figures.total_leads - figures.pending;
  return {
    ...figures,
    revenue: fromMicros(revenue),
    cost: fromMicros(cost),
    profit: fromMicros(revenue - cost),
    margin_pct: marginOf({ revenue, cost }),
    acceptance_pct: acceptanceOf({ accepted: figures.accepted, decided }),
  };
}

const hourView = ({ total_leads, accepted, revenue, cost }: DayFigures) => ({
  leads: total_leads,
  accepted,
  revenue: fromMicros(revenue),
  cost: fromMicros(cost),
});

function breakerView({ _id, paused_at, open_until, failures }: OpenBreaker, now: Date) {
  const isOpen = breakerState({ paused_at, open_until }, now) === 'open';
  return {
    buyer_id: _id,
    breaker: isOpen ? ('open' as const) : ('half-open' as const),
    since: paused_at,
    until: isOpen ? open_until : null,
    failures,
  };
}

const OPTIONS = { limit: COUNTED_MAX };

async function countDecisions({ collections, orgId: org_id }: ActionContext) {
  const { returns, changeRequests, eventDeliveries } = collections;
  const [waitingReturns, change_requests, dead_letters] = await Promise.all([
    returns.countDocuments({ org_id, state: 'requested' }, OPTIONS),
    changeRequests.countDocuments({ org_id, state: 'pending' }, OPTIONS),
    eventDeliveries.countDocuments({ org_id, state: 'parked' }, OPTIONS),
  ]);
  return { returns: waitingReturns, change_requests, dead_letters };
}

async function readNearlyFull(
  { collections, orgId: org_id }: ActionContext,
  { now, timeZone }: { now: Date; timeZone: string },
) {
  const full: CapUsageRow[] = [];
  let batches = 0;
  let is_cut = false;
  const asked = { filter: { org_id }, timeZone, after: null };
  for await (const rows of readCapUsage(collections, asked, now)) {
    is_cut = batches === CAP_BATCHES_MAX;
    if (is_cut) break;
    full.push(...rows.filter((row) => shareUsed(row) >= NEARLY_FULL));
    batches += 1;
  }
  const fullest = full.sort((a, b) => shareUsed(b) - shareUsed(a)).slice(0, SHOWN_MAX);
  return { nearly_full: full.length, is_cut, fullest };
}

function capView(row: CapUsageRow) {
  const shown = row.of === 'budget' ? fromMicros : (count: number) => count;
  const { scope, campaign_id, buyer_id, supplier_id, window, of, resets_at } = row;
  return {
    scope,
    campaign_id,
    buyer_id,
    supplier_id,
    window,
    of,
    limit: shown(row.limit),
    used: shown(row.used),
    used_pct: Math.round(shareUsed(row) * 1_000) / 10,
    resets_at,
  };
}
