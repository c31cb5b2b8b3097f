/** Counts and stores the past days of one buyer: each new one, and earlier ones, back to its first attempt. */
import { isDeepStrictEqual } from 'node:util';
import { dayAfter, startOfDay } from '../fields/days.js';
import { windowKeys } from '../fields/windowKeys.js';
import type { Pace } from '../lib/pace.js';
import type { AttemptDeps } from './attemptDays.js';
import { countAttempts, countByCampaign, nearestAttempt, spanOfDays } from './countAttempts.js';
import { readTimeZone } from '../account/orgs.js';
import {
  NO_ATTEMPTS,
  totalAttempts,
  type AttemptScope,
  type CampaignAttempts,
} from './rules/attemptSums.js';
import type { AttemptSpanDoc, KeptDays } from './store/attemptDayDocs.js';
import { dropDays, findDay, readDays, storeDay, type BuyerDay } from './store/attemptDays.js';

const DAY_MS = 86_400_000;
/** Attempts of an older day no longer change. */
const SETTLED_DAYS = 60;
/** Attempts that one query reads: a longer query would slow down the machine's real work. */
const ATTEMPTS_A_QUERY = 4_000;
/** Milliseconds from the end of a day until it is stored: changes of its attempts are marked by then. */
const OVER_MS = 3_600_000;
/** A day before the first attempt of any buyer. */
const BEGINNING = '0001-01-01';

/**
 * Stores one more day of a buyer, the newest first, and records when the next one is due. Days without attempts are
 * skipped. A process that was overtaken by another changes nothing.
 */
export async function advanceSpan(
  deps: AttemptDeps,
  span: AttemptSpanDoc,
  pace: Pick<Pace, 'step'>,
): Promise<void> {
  const { collections, clock } = deps;
  const now = clock.now();
  const time_zone = await readTimeZone(collections, span.org_id);
  const last = dayAfter(windowKeys(new Date(Number(now) - OVER_MS), time_zone).day, -1);
  const kept =
    span.days?.time_zone === time_zone
      ? span.days
      : { time_zone, from: dayAfter(last), through: last };
  const next = await findNext(deps, span._id, kept, last);
  const buyer = { org_id: span.org_id, buyer_id: span._id };
  if (next === null) await dropMissedDays(deps, { ...buyer, time_zone }, last);
  else if (next.day !== undefined) await keepDay(deps, { ...buyer, day: next.day }, pace);
  await collections.attemptSpans.updateOne(
    { _id: span._id, days: span.days },
    { $set: { days: next?.kept ?? kept, due_at: next ? now : nextEnd(last, time_zone) } },
  );
}

/** The next day to store, and the days stored then; without a day: there was none with attempts on that side. */
interface Next {
  day?: string;
  kept: KeptDays;
}

/** @param last the latest day that is over; null: it is stored, as are all earlier ones */
async function findNext(
  { collections }: AttemptDeps,
  buyer_id: string,
  kept: KeptDays,
  last: string,
): Promise<Next | null> {
  const { time_zone, from, through } = kept;
  const nearest = async (side: 'before' | 'from', day: string) => {
    const at = await nearestAttempt(collections, { buyer_id }, side, startOfDay(day, time_zone));
    return at && windowKeys(at, time_zone).day;
  };
  if (through < last) {
    const day = await nearest('from', dayAfter(through));
    if (day === null || day > last) return { kept: { ...kept, through: last } };
    return { day, kept: { ...kept, through: day } };
  }
  if (from === BEGINNING) return null;
  const day = await nearest('before', from);
  if (day === null) return { kept: { ...kept, from: BEGINNING } };
  return { day, kept: { ...kept, from: day } };
}

/** When the following day is over. */
const nextEnd = (day: string, timeZone: string): Date =>
  new Date(Number(startOfDay(dayAfter(day, 2), timeZone)) + OVER_MS);

/**
 * Marks days that are stored as empty and have attempts, to be counted: a process of a release before 0.1 does not mark
 * attempts that it settles late. One query for each gap between stored days.
 * @until 0.2
 */
async function dropMissedDays(
  { collections, clock }: AttemptDeps,
  { org_id, buyer_id, time_zone }: AttemptScope,
  last: string,
): Promise<void> {
  const first = dayAfter(last, -SETTLED_DAYS);
  const stored = await readDays(collections, { buyer_id, time_zone, from: first, to: last });
  const missed: BuyerDay[] = [];
  for (let day = first; day <= last; day = dayAfter(day)) {
    if (stored.has(day)) continue;
    const start = startOfDay(day, time_zone);
    const at = await nearestAttempt(collections, { buyer_id }, 'from', start);
    if (at === null) break;
    day = windowKeys(at, time_zone).day;
    if (day <= last && !stored.has(day)) missed.push({ org_id, buyer_id, day });
  }
  await dropDays(collections, missed, clock.now());
}

/**
 * Counts the attempts of a day that is over, and stores them. Safe in parallel: a day that changes meanwhile is not
 * stored, and was marked to be counted again.
 * @returns whether other sums were stored before, without a change that explains it
 */
export async function keepDay(
  { collections, clock }: AttemptDeps,
  day: BuyerDay,
  pace: Pick<Pace, 'step'>,
): Promise<boolean> {
  const time_zone = await readTimeZone(collections, day.org_id);
  const before = await findDay(collections, day);
  const campaigns = await countDay(collections, { ...day, time_zone }, pace);
  const recount_at = recountAt(day.day, clock.now());
  const isStored = await storeDay(collections, before, day, { time_zone, campaigns, recount_at });
  if (!isStored || !before?.campaigns || before.time_zone !== time_zone) return false;
  // In any order.
  return !isDeepStrictEqual(new Set(before.campaigns), new Set(campaigns));
}

type ZonedDay = BuyerDay & { time_zone: string };

/** Counts a large day in parts, so that each query is short. */
async function countDay(
  collections: AttemptDeps['collections'],
  { day, ...scope }: ZonedDay,
  pace: Pick<Pace, 'step'>,
): Promise<CampaignAttempts[]> {
  const counted = await countAttempts(collections, scope, [day]);
  const { accepted, rejected, unanswered } = counted.get(day) ?? NO_ATTEMPTS;
  const all = accepted + rejected + unanswered;
  const found: CampaignAttempts[] = [];
  for (const part of splitDay({ day, ...scope }, Math.ceil(all / ATTEMPTS_A_QUERY))) {
    found.push(...(await countByCampaign(collections, scope, part)));
    await pace.step(ATTEMPTS_A_QUERY);
  }
  return [...Map.groupBy(found, ({ campaign_id }) => campaign_id)].map(([campaign_id, parts]) => ({
    campaign_id,
    ...totalAttempts(parts),
  }));
}

function splitDay({ day, time_zone }: ZonedDay, count: number): { from: Date; to: Date }[] {
  const { from, to } = spanOfDays(day, day, time_zone);
  const partMs = (Number(to) - Number(from)) / count;
  const at = (part: number) => new Date(Math.round(Number(from) + partMs * part));
  return Array.from({ length: count }, (_, part) => ({ from: at(part), to: at(part + 1) }));
}

/** A day is compared with its attempts each time its age has doubled, until it is settled. */
function recountAt(day: string, now: Date): Date | undefined {
  const ageMs = Number(now) - Date.parse(`${day}T00:00:00Z`);
  if (ageMs > SETTLED_DAYS * DAY_MS) return undefined;
  return new Date(Number(now) + Math.max(DAY_MS, ageMs));
}
