/** Report sums of seeded leads, as counting would have left them, with the leads marked as counted. */
import { systemClock } from '../../../src/lib/clock.js';
import type { Lead } from '../../../src/leads/rules/lead.js';
import { nonZero } from '../../../src/reports/rules/rollups.js';
import { buildChanges, tallyByDay } from '../../../src/reports/countBatches.js';
import { LEADS } from '../../../src/reports/rollUp.js';
import { createRollupStore } from '../../../src/reports/store/rollups.js';
import type { Bench } from '../bench.js';

/** By organization. Default calendars: UTC for every account of the benchmark. */
export type Zones = ReadonlyMap<string, string>;

/** @returns the same leads, counted. The sums are written when it resolves; the caller stores the leads. */
export async function countSeeded(
  { collections }: Pick<Bench, 'collections'>,
  leads: readonly Lead[],
  zones: Zones = new Map(),
): Promise<Lead[]> {
  const store = createRollupStore({ collections, clock: systemClock });
  const { days, counted } = tallyByDay(leads, zones, LEADS);
  const rows = days.flatMap(({ day, rows: sums }) => buildChanges(day, nonZero(sums), LEADS));
  // The service counts at the same time: if it commits first, this commit takes the next number.
  let after = await store.settled();
  while (!(await store.commit(after, { rows, leads: [] }))) after = await store.settled();
  return leads.map((lead, n) => ({
    ...lead,
    counted: { seq: after + 1, contribution: counted[n]?.contribution ?? null },
  }));
}
