/** The days of seeded attempts, kept as the service would have kept them: it believes to know of days before today. */
import { systemClock } from '../../../src/lib/clock.js';
import { advanceAttemptDays, enrollBuyers } from '../../../src/reports/keepAttemptDays.js';
import type { Bench } from '../bench.js';

/** The service works on them at the same time, each on buyers of its own. */
export async function keepSeeded({ collections }: Pick<Bench, 'collections'>): Promise<void> {
  const deps = { collections, clock: systemClock, stopping: () => false };
  await enrollBuyers(deps);
  const anew = { days: null, due_at: systemClock.now() };
  await collections.attemptSpans.updateMany({}, { $set: anew });
  const isLeft = () => collections.attemptSpans.findOne({ due_at: { $lte: inSoon() } });
  while (await isLeft()) await advanceAttemptDays(deps, { withinMs: 1_000 });
}

/** Those that another process works on are due within its lease. */
const inSoon = (): Date => new Date(Date.now() + 90_000);
