/** Queries that keep and read the days of attempts. */
import type { Collections } from '../../../src/app/database.js';
import { dayAfter } from '../../../src/fields/days.js';
import { readAttemptDays } from '../../../src/reports/attemptDays.js';
import { advanceAttemptDays, enrollBuyers } from '../../../src/reports/keepAttemptDays.js';
import type { AttemptDayDoc } from '../../../src/reports/store/attemptDayDocs.js';
import { after, before, NOW } from '../../support/storedRows.js';
import type { Recorder } from './explain.js';

const HOUR = 3_600_000;

const times = <T>(count: number, make: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => make(n));

export async function seedAttemptDays({ attemptDays, attemptSpans }: Collections): Promise<void> {
  await attemptDays.insertMany(times(20, (buyer) => times(20, (n) => dayOf(buyer, n))).flat());
  await attemptSpans.insertMany(
    times(200, (n) => ({
      _id: `buyer-${n}`,
      org_id: 'org',
      days: { time_zone: 'UTC', from: '2026-11-01', through: '2026-11-19' },
      due_at: n === 1 ? before(HOUR) : after(HOUR),
    })),
  );
}

/** The oldest day of each buyer is due to be compared, and one day of the first buyer was dropped. */
function dayOf(buyer: number, n: number): AttemptDayDoc {
  const [buyer_id, day] = [`buyer-${buyer}`, dayAfter('2026-11-20', -n)];
  const base = { _id: `${buyer_id}:${day}`, org_id: 'org', buyer_id, day, version: 1 };
  if (buyer === 0 && n === 3) return { ...base, stale_at: before(HOUR) };
  const sums = { accepted: 1, rejected: 0, unanswered: 0 };
  const campaigns = [{ campaign_id: 'campaign', ...sums }];
  const recount_at = n === 19 ? before(HOUR) : after(HOUR);
  return { ...base, time_zone: 'UTC', sums, campaigns, recount_at };
}

export async function sendAttemptDays(
  { during }: Pick<Recorder, 'during'>,
  collections: Collections,
): Promise<void> {
  const deps = {
    collections,
    clock: { now: () => NOW, monotonic: () => performance.now() },
    stopping: () => false,
  };
  const span = { org_id: 'org', buyer_id: 'buyer-2', time_zone: 'UTC' };
  for (const campaign of [{}, { campaign_id: 'campaign' }])
    await during(`readAttemptDays, ${Object.keys(campaign).join('')}`, () =>
      readAttemptDays(deps, { ...span, ...campaign, from: '2026-11-10', to: '2026-11-21' }),
    );
  await during('enrollBuyers', () => enrollBuyers(deps));
  await during('advanceAttemptDays', () => advanceAttemptDays(deps, { withinMs: 2_000 }));
}
