/**
 * Copies of decided leads over three months, and the sums that counting would have left of them. Whole days are stored
 * with their sums at once: adding them up batch by batch takes ten times as long.
 */
import { windowKeys } from '../../../src/fields/windowKeys.js';
import type { Lead } from '../../../src/leads/rules/lead.js';
import { systemClock } from '../../../src/lib/clock.js';
import { chunks } from '../../../src/lib/chunks.js';
import { buildChanges, tallyByDay } from '../../../src/reports/countBatches.js';
import { LEADS } from '../../../src/reports/rollUp.js';
import { nonZero } from '../../../src/reports/rules/rollups.js';
import { createRollupStore } from '../../../src/reports/store/rollups.js';
import type { Bench } from '../bench.js';
import { openCopier, storeCopies, type Docs } from '../load/seedLeads.js';
import { countSeeded } from '../load/seedSums.js';
import type { ScreensAccount } from './account.js';

const DAYS = 90;
/** The latest copy is an hour old. */
const UNTIL_DAYS_AGO = 1 / 24;
const CONVERTED_EVERY = 4;
const DAY_MS = 86_400_000;
const AT_ONCE = 5_000;
const FAST = { ordered: false, writeConcern: { w: 1, journal: false } } as const;

export async function seedDays(
  bench: Bench,
  { orgId, timeZone }: ScreensAccount,
  modelIds: readonly string[],
  count: number,
): Promise<void> {
  const zones = new Map([[orgId, timeZone]]);
  const span = { days: DAYS, untilDaysAgo: UNTIL_DAYS_AGO, vary: withOutcome };
  const copy = await openCopier(bench, modelIds, span);
  const { day: today } = windowKeys(new Date(), timeZone);
  let [day, docs]: [string, Docs[]] = ['', []];
  const store = async (): Promise<void> => {
    if (docs.length === 0) return;
    const leads = docs.map(({ lead }) => lead);
    const counted =
      day === today
        ? await countSeeded(bench, leads, zones)
        : await sumWholeDay(bench, leads, zones);
    const nth = new Map(counted.map((lead) => [lead._id, lead]));
    for (const some of chunks(docs, AT_ONCE))
      await storeCopies(
        bench,
        some,
        some.map(({ lead }) => nth.get(lead._id) ?? lead),
      );
  };
  for (let n = 0; n < count; n += 1) {
    const one = copy(n, count);
    const own = windowKeys(one.lead.created_at, timeZone).day;
    if (own !== day) {
      await store();
      [day, docs] = [own, []];
    }
    docs.push(one);
  }
  await store();
}

/** The sums of a day that has no others. The service compares them with the leads after the measurement. */
async function sumWholeDay(
  { collections }: Bench,
  leads: readonly Lead[],
  zones: ReadonlyMap<string, string>,
): Promise<Lead[]> {
  const seq = await createRollupStore({ collections, clock: systemClock }).settled();
  const { days, counted } = tallyByDay(leads, zones, LEADS);
  const recount_at = new Date(Date.now() + DAY_MS);
  const rows = days
    .flatMap(({ day, rows: sums }) => buildChanges(day, nonZero(sums), LEADS))
    .map((row) => ({ ...row, seq, ...(row.facet === 'all' ? { recount_at } : {}) }));
  for (const some of chunks(rows, AT_ONCE)) await collections.rollups.insertMany(some, FAST);
  return leads.map((lead, n) => ({
    ...lead,
    counted: { seq, contribution: counted[n]?.contribution ?? null },
  }));
}

/** A part of the sold leads converted. */
function withOutcome(lead: Lead, n: number): Lead {
  const at = lead.decided_at;
  if (lead.status !== 'ACCEPTED' || !at || n % CONVERTED_EVERY !== 0) return lead;
  const sales = lead.sales.map((sale) => ({
    ...sale,
    outcome: 'converted' as const,
    outcome_at: at,
  }));
  return { ...lead, sales, outcome: 'converted', outcome_at: at, converted_at: at };
}
