/** Counts the attempts of one day that is over, and stores them. */
import { dayAfter, startOfDay } from '../fields/days.js';
import type { Pace } from '../lib/pace.js';
import type { AttemptDeps } from './attemptDays.js';
import { countAttempts, countByCampaign } from './countAttempts.js';
import {
  isSameAttempts,
  NO_ATTEMPTS,
  totalAttempts,
  type CampaignAttempts,
} from './rules/attemptSums.js';
import { createAttemptDayStore, type BuyerDay } from './store/attemptDays.js';

/** In the organization's time zone. */
export type DayToKeep = BuyerDay & { time_zone: string };

/** Attempts that one query reads: a longer query would slow down the machine's real work. */
const ATTEMPTS_A_QUERY = 4_000;
const DAY_MS = 86_400_000;
/** Attempts of an older day no longer change. */
const SETTLED_MS = 60 * DAY_MS;

/**
 * Safe in parallel: a day that changes meanwhile is not stored, and was marked to be counted again.
 * @returns whether other sums were stored before, without a change that explains it
 */
export async function keepAttemptDay(
  { collections, clock }: AttemptDeps,
  day: DayToKeep,
  pace: Pick<Pace, 'step'>,
): Promise<boolean> {
  const store = createAttemptDayStore(collections);
  const before = await store.find(day);
  const campaigns = await countDay(collections, day, pace);
  const isStored = await store.keep(day, before, {
    time_zone: day.time_zone,
    campaigns,
    ...recountAt(day.day, clock.now()),
  });
  const wasKept = before?.campaigns && before.time_zone === day.time_zone;
  return Boolean(isStored && wasKept && !isSameAttempts(before.campaigns ?? [], campaigns));
}

/** Counts a large day in parts, so that each query is short. */
async function countDay(
  collections: AttemptDeps['collections'],
  { day, ...scope }: DayToKeep,
  pace: Pick<Pace, 'step'>,
): Promise<CampaignAttempts[]> {
  const counted = await countAttempts(collections, scope, [day]);
  const { accepted, rejected, unanswered } = counted.get(day) ?? NO_ATTEMPTS;
  const all = accepted + rejected + unanswered;
  const found: CampaignAttempts[] = [];
  for (const part of partsOf({ day, ...scope }, Math.ceil(all / ATTEMPTS_A_QUERY))) {
    found.push(...(await countByCampaign(collections, scope, part)));
    await pace.step(ATTEMPTS_A_QUERY);
  }
  return [...Map.groupBy(found, ({ campaign_id }) => campaign_id)].map(([campaign_id, parts]) => ({
    campaign_id,
    ...totalAttempts(parts),
  }));
}

function partsOf({ day, time_zone }: DayToKeep, count: number): { from: Date; to: Date }[] {
  const first = Number(startOfDay(day, time_zone));
  const end = Number(startOfDay(dayAfter(day), time_zone));
  const at = (part: number) => new Date(Math.round(first + ((end - first) * part) / count));
  return Array.from({ length: count }, (_, part) => ({ from: at(part), to: at(part + 1) }));
}

/** A day is compared with its attempts each time its age has doubled, until it is settled. */
function recountAt(day: string, now: Date): { recount_at?: Date } {
  const ageMs = Number(now) - Date.parse(`${day}T00:00:00Z`);
  return ageMs > SETTLED_MS ? {} : { recount_at: new Date(Number(now) + Math.max(DAY_MS, ageMs)) };
}
