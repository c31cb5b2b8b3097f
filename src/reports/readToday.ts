/** The leads of today beside those of yesterday and of a week ago, and suppliers that have stopped sending. */
import type { ClientSession } from 'mongodb';
import { dayAfter, daysEarlier, hourOf, startOfDay, startOfHour } from '../fields/days.js';
import { windowKeys } from '../fields/windowKeys.js';
import { findLastLeadsAt, sumLeads } from '../leads/store/leadSums.js';
import type { RollDeps } from './countBatches.js';
import { readUpToDate, selectSums } from './reading.js';
import { figuresOf, linesOf, type DayFigures, type StatusLine } from './rules/dayFigures.js';
import { LINE_NAMES, totalLine } from './rules/rollups.js';
import { sumByStatus } from './store/statusSums.js';
import { DAYS_SHOWN } from './partyDays.js';
import { silentSince } from './rules/silence.js';

export interface TodayFigures {
  /** YYYY-MM-DD in the account's time zone. */
  date: string;
  today: DayFigures;
  yesterday: DayFigures;
  /** Yesterday up to the same time on the clock, by what the leads are now; null: too many to read in time. */
  untilNow: DayFigures | null;
  /** The same of the day a week ago. */
  lastWeekUntilNow: DayFigures | null;
  /** Every hour of the clock. */
  hours: HourFigures[];
  uncounted: number;
}

export interface HourFigures {
  /** `00` to `23` */
  hour: string;
  /** Null: it has not begun. */
  today: DayFigures | null;
  /** Null: an earlier release counted leads of that day without their hours. */
  lastWeek: DayFigures | null;
}

export interface Today {
  figures: TodayFigures;
  /** Those with most leads today. */
  campaigns: CampaignToday[];
  silent: SilentSupplier[];
}

export interface CampaignToday {
  campaign_id: string;
  figures: DayFigures;
}

const CAMPAIGNS_SHOWN = 5;

/** Of the organization, by the day in which a lead was received. */
export async function readToday(deps: RollDeps, orgId: string, at: At): Promise<Today> {
  const { day } = windowKeys(at.now, at.timeZone);
  const [yesterday, lastWeek] = [1, 7].map((days) => momentOf(at, days)) as [Moment, Moment];
  const days = [day, dayAfter(day, -1), yesterday.day, dayAfter(day, -7), lastWeek.day];
  const { found, uncounted } = await readUpToDate(deps, {
    counting: 'leads',
    orgId,
    read: (session) => {
      const snapshot = { orgId, session };
      return Promise.all([
        readDays(deps, snapshot, days),
        readSentLeads(deps, snapshot, day),
        readCampaigns(deps, snapshot, day),
      ]);
    },
  });
  const [dayOf, sent, campaigns] = found;
  const [untilNow, lastWeekUntilNow, silent] = await Promise.all([
    readUntil(deps, orgId, { at: yesterday, day: dayOf(yesterday.day) }),
    readUntil(deps, orgId, { at: lastWeek, day: dayOf(lastWeek.day) }),
    findSilent(deps, orgId, { sent, now: at.now }),
  ]);
  const figures = {
    date: day,
    today: figuresOf(dayOf(day).whole),
    yesterday: figuresOf(dayOf(dayAfter(day, -1)).whole),
    untilNow,
    lastWeekUntilNow,
    hours: hoursOf(dayOf(day), dayOf(dayAfter(day, -7)), hourOf(at.now, at.timeZone)),
    uncounted,
  };
  return { figures, campaigns, silent };
}

/** What is read at one point of time. */
interface Snapshot {
  orgId: string;
  session: ClientSession;
}

interface At {
  now: Date;
  timeZone: string;
}

/** The same time of an earlier day. */
interface Moment {
  before: Date;
  timeZone: string;
  day: string;
}

function momentOf({ now, timeZone }: At, days: number): Moment {
  const before = daysEarlier(now, days, timeZone);
  return { before, timeZone, day: windowKeys(before, timeZone).day };
}

/** The sums of one day. */
interface DayRows {
  whole: readonly StatusLine[];
  /** By hour, `00`. */
  hours: ReadonlyMap<string, readonly StatusLine[]>;
  /** Each lead is in its hour. */
  hasHours: boolean;
}

async function readDays(
  { collections }: RollDeps,
  { orgId: org_id, session }: Snapshot,
  days: readonly string[],
): Promise<(day: string) => DayRows> {
  const asked = {
    match: { org_id, facet: { $in: ['all', 'clock'] }, day: { $in: [...new Set(days)] } },
    keys: { day: '$day', hour: '$hour' },
    names: LINE_NAMES,
  };
  const { rows } = await sumByStatus(collections.rollups, asked, session);
  return (day) => {
    const ofDay = rows.filter(({ keys }) => keys.day === day);
    const whole = ofDay.filter(({ keys }) => keys.hour === null);
    const inHours = ofDay.filter(({ keys }) => keys.hour !== null);
    return {
      whole,
      hours: Map.groupBy(inHours, ({ keys }) => padded(Number(keys.hour))),
      hasHours: totalLine(whole).leads === totalLine(inHours).leads,
    };
  };
}

/** That day up to the moment: whole hours from the sums, and the rest of an hour from its leads. */
async function readUntil(
  { collections }: RollDeps,
  orgId: string,
  { at: { before, timeZone, day }, day: { hours, hasHours } }: { at: Moment; day: DayRows },
): Promise<DayFigures | null> {
  const from = hasHours ? startOfHour(before, timeZone) : startOfDay(day, timeZone);
  const sums = await sumLeads(collections.leads, orgId, { from, before });
  if (!sums) return null;
  const hour = padded(hourOf(before, timeZone));
  const whole = hasHours ? [...hours].flatMap(([key, rows]) => (key < hour ? rows : [])) : [];
  return figuresOf([...whole, ...linesOf(sums)]);
}

const padded = (hour: number): string => String(hour).padStart(2, '0');

const hoursOf = (today: DayRows, lastWeek: DayRows, now: number): HourFigures[] =>
  Array.from({ length: 24 }, (_, nth) => {
    const hour = padded(nth);
    return {
      hour,
      today: nth <= now ? figuresOf(today.hours.get(hour) ?? []) : null,
      lastWeek: lastWeek.hasHours ? figuresOf(lastWeek.hours.get(hour) ?? []) : null,
    };
  });

/** The campaigns with most leads of the day. */
async function readCampaigns(
  { collections }: RollDeps,
  { orgId, session }: Snapshot,
  day: string,
): Promise<CampaignToday[]> {
  const asked = {
    match: selectSums({ orgId, from: day, to: day }, 'all'),
    keys: { campaign: '$campaign_id' },
    names: LINE_NAMES,
  };
  const { rows } = await sumByStatus(collections.rollups, asked, session);
  const each = Map.groupBy(rows, ({ keys }) => String(keys.campaign));
  return [...each]
    .map(([campaign_id, own]) => ({ campaign_id, figures: figuresOf(own) }))
    .sort((a, b) => b.figures.total_leads - a.figures.total_leads)
    .slice(0, CAMPAIGNS_SHOWN);
}

/** Suppliers that are looked at: those that sent most. */
const LOOKED_AT_MAX = 50;

export interface SilentSupplier {
  supplier_id: string;
  last_lead_at: Date;
}

/** How many leads each supplier sent within the last 7 days. */
async function readSentLeads(
  { collections }: RollDeps,
  { orgId, session }: Snapshot,
  to: string,
): Promise<ReadonlyMap<string, number>> {
  const asked = {
    match: selectSums({ orgId, from: dayAfter(to, 1 - DAYS_SHOWN), to }, 'supplier'),
    keys: { supplier: '$supplier_id' },
    names: ['leads'] as const,
  };
  const { rows } = await sumByStatus(collections.rollups, asked, session);
  const sent = new Map<string, number>();
  for (const { keys, leads } of rows) {
    const id = String(keys.supplier);
    sent.set(id, (sent.get(id) ?? 0) + leads);
  }
  return sent;
}

/** Suppliers that have sent none for three of their usual gaps; those that sent most come first. */
async function findSilent(
  { collections }: RollDeps,
  orgId: string,
  { sent, now }: { sent: ReadonlyMap<string, number>; now: Date },
): Promise<SilentSupplier[]> {
  const candidates = [...sent].sort(([, a], [, b]) => b - a).slice(0, LOOKED_AT_MAX);
  const ids = candidates.map(([supplier_id]) => supplier_id);
  const last = await findLastLeadsAt(collections.leads, orgId, ids);
  return candidates.flatMap(([supplier_id, leads]) => {
    const last_lead_at = last.get(supplier_id);
    return last_lead_at && silentSince({ leads, days: DAYS_SHOWN }, last_lead_at, now) !== null
      ? [{ supplier_id, last_lead_at }]
      : [];
  });
}
